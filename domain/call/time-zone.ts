import { Temporal } from 'temporal-polyfill';

/** Names of the IANA database begin with a letter; this keeps out offsets and whole timestamps, which Temporal would take. */
const nameShape = /^[A-Za-z][\w+\-/]*$/;
/** Names that the IANA database has not had for years. Node.js knows them; Temporal and PostgreSQL do not, and nothing would run by them. */
const droppedNames = /^(?:systemv\/|us\/pacific-new$)/i;
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
  if (name.length > longestName || !nameShape.test(name) || offsetShape.test(name) || droppedNames.test(name))
    return null;
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

/** A time zone as the IANA database writes it, in its own casing; a text that names none stays as it is. */
export const ownNameOfZone = (name: string): string => canonicalZone(name) ?? name;

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
  if (zone.endsWith(byDatabase)) return learntStretch(zone.slice(0, -byDatabase.length), atMs);
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

/** How PostgreSQL's clock of a zone is named where both it and the zone's own are asked; no name of a zone has a space. */
const byDatabase = ' by PostgreSQL';

/** The offsets of a zone with the instants from which they hold, in epoch milliseconds, ascending. */
export type ZoneChanges = readonly (readonly [fromMs: number, offsetMs: number])[];

interface LearntClocks {
  readonly zones: ReadonlyMap<string, ZoneChanges>;
  readonly untilMs: number;
  readonly isDisputed: Map<string, boolean>;
  /** Counts how often clocks were learnt, so that what was worked out by others can be told. */
  readonly revision: number;
}

let learnt: LearntClocks = { zones: new Map(), untilMs: -Infinity, isDisputed: new Map(), revision: 0 };

/**
 * Tells this process how PostgreSQL's clocks run. Governments change their minds, and the two programs carry rules of different
 * years: where they disagree, a call needs the leave of both clocks.
 *
 * @param untilMs the instant up to which the changes were asked for
 */
export function learnClocks(zones: ReadonlyMap<string, ZoneChanges>, untilMs: number): void {
  learnt = { zones, untilMs, isDisputed: new Map(), revision: learnt.revision + 1 };
}

/** Another number after clocks were learnt. */
export const clocksRevision = (): number => learnt.revision;

/** The names under which the clocks of a zone are asked for by {@link stretchAt}: two if PostgreSQL's clock runs otherwise than this machine's. */
export function clocksOf(zone: string): readonly string[] {
  const changes = learnt.zones.get(zone);
  if (changes === undefined) return [zone];
  let isDisputed = learnt.isDisputed.get(zone);
  if (isDisputed === undefined) {
    isDisputed = runsOtherwise(zone, changes);
    learnt.isDisputed.set(zone, isDisputed);
  }
  return isDisputed ? [zone, `${zone}${byDatabase}`] : [zone];
}

/** Zones whose clocks run otherwise by PostgreSQL than on this machine; those that this machine does not know are left out. */
export const disputedZones = (): string[] =>
  [...learnt.zones.keys()].filter((zone) => canonicalZone(zone) === zone && clocksOf(zone).length > 1).sort();

function runsOtherwise(zone: string, [first]: ZoneChanges): boolean {
  for (let atMs = first?.[0] ?? Infinity; atMs < learnt.untilMs;) {
    const here = stretchAt(zone, atMs);
    const there = learntStretch(zone, atMs);
    if (here.offsetMs !== there.offsetMs) return true;
    atMs = Math.min(here.endsAtMs, there.endsAtMs);
  }
  return false;
}

/** As {@link stretchAt}, by PostgreSQL's clock as far as it was learnt. */
function learntStretch(zone: string, atMs: number): EvenStretch {
  const changes = learnt.zones.get(zone) ?? [];
  const next = changes.findIndex(([fromMs]) => fromMs > atMs);
  const endsAtMs = changes[next]?.[0] ?? learnt.untilMs;
  const current = changes.at(next === -1 ? -1 : next - 1);
  if (next !== 0 && current !== undefined && atMs < learnt.untilMs) return { offsetMs: current[1], endsAtMs };
  const own = stretchAt(zone, atMs);
  return endsAtMs <= atMs ? own : { offsetMs: own.offsetMs, endsAtMs: Math.min(own.endsAtMs, endsAtMs) };
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
