import { Temporal } from 'temporal-polyfill';

/** Names of the IANA database begin with a letter; this keeps out offsets and whole timestamps, which Temporal would take. */
const nameShape = /^[A-Za-z][\w+\-/]*$/;
const offsetShape = /^(?:UTC|GMT)?[+\-\u{2212}]\d{1,2}(?::?\d{2})?$|^Z$/iu;

const canonicalNames = new Map<string, string | null>();
/** Beyond this many, what was learnt is forgotten, so that a file of made-up zones cannot fill the memory. */
const mostNamesRemembered = 2_000;
const longestName = 64;

/**
 * The zone under the name that the IANA database gives it, or null if there is none. A name is tested by using it: the
 * lists that runtimes publish lack names that people use (Asia/Kolkata).
 */
export function canonicalZone(name: string): string | null {
  const known = canonicalNames.get(name);
  if (known !== undefined) return known;
  if (name.length > longestName || !nameShape.test(name) || offsetShape.test(name)) return null;
  if (canonicalNames.size >= mostNamesRemembered) canonicalNames.clear();
  const canonical = nameInUse(name);
  canonicalNames.set(name, canonical);
  return canonical;
}

function nameInUse(name: string): string | null {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Why a text names no time zone, in words that say how to correct it; null if it names one. */
export function zoneProblem(name: string): string | null {
  if (canonicalZone(name) !== null) return null;
  if (offsetShape.test(name.trim())) {
    return 'must be the name of a time zone such as Europe/Paris: an offset does not say when clocks change';
  }
  return 'must be an IANA time zone name, such as Asia/Calcutta or Europe/Paris';
}

/** A stretch of time in which a zone's clocks run evenly. */
export interface EvenStretch {
  /** Local time minus UTC. */
  readonly offsetMs: number;
  /** Epoch milliseconds of the next change of clocks; Infinity if none is planned. */
  readonly endsAtMs: number;
}

interface KnownStretch extends EvenStretch {
  readonly knownFromMs: number;
}

const stretches = new Map<string, KnownStretch[]>();

/**
 * The zone's offset at an instant, and until when it holds. Remembered per zone, because asking Temporal costs a thousand
 * times more than the arithmetic that follows.
 *
 * @param zone a name that {@link canonicalZone} knows
 * @throws RangeError for any other name
 */
export function stretchAt(zone: string, atMs: number): EvenStretch {
  const known = stretches.get(zone) ?? [];
  for (const stretch of known) {
    if (stretch.knownFromMs <= atMs && atMs < stretch.endsAtMs) return stretch;
  }
  const local = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone);
  const endsAtMs = local.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity;
  const found = { knownFromMs: atMs, endsAtMs, offsetMs: local.offsetNanoseconds / 1e6 };
  stretches.set(zone, [...known.filter((stretch) => stretch.endsAtMs !== endsAtMs), found].slice(-8));
  return found;
}

const dayMs = 86_400_000;

/** Days since 1 January 1970 by the clocks of a zone. */
export const localDay = (zone: string, atMs: number): number =>
  Math.floor((atMs + stretchAt(zone, atMs).offsetMs) / dayMs);

/**
 * The first instant at which a zone's clocks show this day. Where they change at midnight it is not always 00:00: the hour may be
 * skipped (Cairo, Santiago), or come twice (Havana), and then the first one counts.
 *
 * @param day as {@link localDay} counts them
 * @throws RangeError for a zone that {@link canonicalZone} does not know
 */
export function startOfDay(zone: string, day: number): number {
  const localMs = day * dayMs;
  // No clock is a whole day ahead of UTC: this is before the day begins.
  for (let searchedMs = localMs - dayMs; ;) {
    const { offsetMs, endsAtMs } = stretchAt(zone, searchedMs);
    const startsMs = Math.max(searchedMs, localMs - offsetMs);
    if (startsMs < endsAtMs) return startsMs;
    searchedMs = endsAtMs;
  }
}
