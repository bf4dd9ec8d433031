import { attemptsOf } from './attempts.js';
import type { AccountEvidence, BatchEvidence, Evidence, NumberEvidence, Violation } from './evidence.js';
import { inForce, longestRoadMs, roadMs } from './evidence.js';
import { type CallLegs, carrierTookItNot, type Leg } from './legs.js';
import { dateOf } from './window.js';

/** From its INVITE's leaving to its arrival, if nothing held it up. */
const arrivedMs = 700;

const violation = (rule: string, leg: Leg, what: string): Violation => ({
  ...{ rule, what: `${leg.callId} (${leg.to}) ${what}`, atMs: leg.atMs, about: [leg.callId, leg.to, leg.from] },
});

/** Each number makes as many calls a day as it may, with the least time between them. */
export function beyondNumberLimits(
  account: AccountEvidence,
  legs: readonly Leg[],
  held: Evidence['roadHeld'],
): Violation[] {
  return account.numbers.flatMap((number) => {
    const own = legs.filter(({ from }) => from === number.e164).sort((a, b) => a.atMs - b.atMs);
    return [...tooMany(number, own, held), ...tooSoon(number, own, held), ...notCounted(number, own)];
  });
}

function tooMany(
  { timezone, mostPerDay, e164 }: NumberEvidence,
  legs: readonly Leg[],
  held: Evidence['roadHeld'],
): Violation[] {
  const calls = new Map<string, number>();
  return legs.flatMap((leg) => {
    // One that left just before midnight is of the day before.
    const date = dateOf(leg.atMs, timezone);
    const nth = (calls.get(date) ?? 0) + 1;
    calls.set(date, nth);
    const earliestMs = leg.atMs - longestRoadMs(leg.atMs, held);
    const most = Math.max(...inForce(mostPerDay, earliestMs, leg.atMs).map((value) => value ?? Infinity));
    if (nth <= most || dateOf(earliestMs, timezone) !== date) return [];
    return [violation('number-day', leg, `was the ${nth}th call of ${e164} on ${date}, which may make ${most}`)];
  });
}

function tooSoon(
  { secondsBetween, e164 }: NumberEvidence,
  legs: readonly Leg[],
  held: Evidence['roadHeld'],
): Violation[] {
  return legs.flatMap((leg, place) => {
    const before = legs[place - 1];
    if (before === undefined) return [];
    const earliestMs = leg.atMs - longestRoadMs(leg.atMs, held);
    const leastMs = Math.min(...inForce(secondsBetween, earliestMs, leg.atMs).map((value) => (value ?? 0) * 1000));
    // The one before may have left long before it arrived.
    const lateMs = longestRoadMs(before.atMs, held);
    const allowedMs = lateMs > roadMs ? lateMs : arrivedMs;
    const gapMs = leg.atMs - before.atMs;
    if (gapMs >= leastMs - allowedMs) return [];
    return [violation('number-spacing', leg, `was dialed ${gapMs} ms after ${e164} had called last, of ${leastMs} ms`)];
  });
}

/** What the API counts is at least what the carrier saw; more were let out and never sent. */
function notCounted({ e164, timezone, count }: NumberEvidence, legs: readonly Leg[]): Violation[] {
  if (count === undefined) return [];
  const { calls, askedAtMs } = count;
  const seen = legs.filter(({ atMs }) => dateOf(atMs, timezone) === dateOf(askedAtMs, timezone)).length;
  if (calls >= seen) return [];
  const what = `${e164} has made ${calls} calls today by the API, the ledger has ${seen}`;
  return [{ rule: 'number-count', what, atMs: askedAtMs, about: [e164] }];
}

/** A batch calls from its own numbers, and its retries from the one before, or from the one that it used least. */
export function wrongCaller(call: CallLegs, batch: BatchEvidence, numbers: readonly NumberEvidence[]): Violation[] {
  const { callers } = batch;
  const strangers = call.legs
    .filter(({ from }) => !callers.numbers.includes(from))
    .map((leg) => violation('caller', leg, `was dialed from ${leg.from}, which is none of its batch's numbers`));
  if (callers.numbers.length === 1) return strangers;
  /** Whether a number never had a limit a day, so that it can take any retry. */
  const isNeverUsedUp = (e164: string): boolean =>
    numbers.find((number) => number.e164 === e164)?.mostPerDay.every(({ value }) => value === null) ?? true;
  const used = new Map<string, number>();
  const attempts = attemptsOf(call);
  const wrong = attempts.flatMap((legs, place) => {
    const [first] = legs;
    const before = attempts[place - 1]?.at(-1);
    const found =
      first === undefined || before === undefined || carrierTookItNot(before)
        ? []
        : wrongRetry({ first, before, used, isNeverUsedUp }, callers);
    for (const { from } of legs.slice(-1)) used.set(from, (used.get(from) ?? 0) + 1);
    return found;
  });
  return [...strangers, ...wrong];
}

interface Retry {
  readonly first: Leg;
  readonly before: Leg;
  /** How many attempts before were made from each number. */
  readonly used: ReadonlyMap<string, number>;
  readonly isNeverUsedUp: (e164: string) => boolean;
}

function wrongRetry(
  { first, before, used, isNeverUsedUp }: Retry,
  { numbers, onRetry }: BatchEvidence['callers'],
): Violation[] {
  if (onRetry === 'same') {
    if (first.from === before.from || !isNeverUsedUp(before.from)) return [];
    return [
      violation(
        'caller',
        first,
        `attempt ${first.attempt} was dialed from ${first.from}, the one before from ${before.from}`,
      ),
    ];
  }
  const times = (e164: string): number => used.get(e164) ?? 0;
  const better = numbers.find((e164) => isNeverUsedUp(e164) && times(e164) < times(first.from));
  if (better === undefined) return [];
  return [
    violation('caller', first, `attempt ${first.attempt} was dialed from ${first.from} again, ${better} was used less`),
  ];
}
