import type { BatchEvidence, Violation } from './evidence.js';
import type { Leg } from './legs.js';

/**
 * Calls that a batch may be ahead of its share. Turns are kept as calls are claimed: INVITEs of what two dialers have claimed ahead
 * come later, and those of a dialer that dies are claimed again.
 */
const mostAhead = 30;
/** Once fewer have not been called, a batch may have nobody in the queue who can be claimed. */
const fewestWaiting = 30;

interface Contestant {
  readonly batch: BatchEvidence;
  readonly legs: readonly Leg[];
  readonly weight: number;
}

/** How far a batch was ahead of its share by weight, at most, while another one waited. */
export interface Shared {
  readonly violations: readonly Violation[];
  readonly mostAhead: number;
}

/**
 * Two batches that nothing but their priorities tells apart share a gateway by weight: as long as one has recipients who wait, the other
 * gets no more than its share of the calls of both.
 */
export function sharedByWeight(
  batches: readonly BatchEvidence[],
  callsOf: ReadonlyMap<string, readonly Leg[]>,
): Shared {
  const contests = new Map<string, Contestant[]>();
  for (const batch of batches) {
    const { contest, batchId, priority } = batch;
    if (contest === undefined) continue;
    const contestant = { batch, legs: callsOf.get(batchId) ?? [], weight: 10 - priority };
    contests.set(contest, [...(contests.get(contest) ?? []), contestant]);
  }
  const leads = [...contests.values()].flatMap((all) =>
    all.flatMap((one) => all.flatMap((other) => (one === other ? [] : leadOf(one, other)))),
  );
  return {
    violations: leads.filter(({ ahead }) => ahead > mostAhead).map(({ violation }) => violation),
    mostAhead: Math.round(Math.max(0, ...leads.map(({ ahead }) => ahead))),
  };
}

/** The furthest that one was ahead of its share while the other waited. */
function leadOf(one: Contestant, other: Contestant): { readonly ahead: number; readonly violation: Violation }[] {
  const firsts = new Map<string, number>();
  for (const { to, atMs } of other.legs) firsts.set(to, Math.min(firsts.get(to) ?? Infinity, atMs));
  const dialed = [...firsts.values()].sort((a, b) => a - b);
  const [oneFirst, otherFirst] = [one.legs[0]?.atMs, dialed[0]];
  if (oneFirst === undefined || otherFirst === undefined) return [];
  const fromMs = Math.max(oneFirst, otherFirst);
  const untilMs = dialed[other.batch.uploaded - fewestWaiting] ?? Infinity;
  const share = one.weight / (one.weight + other.weight);
  const legs = [...one.legs.map(({ atMs }) => ({ atMs, own: 1 })), ...other.legs.map(({ atMs }) => ({ atMs, own: 0 }))]
    .filter(({ atMs }) => atMs > fromMs && atMs < untilMs)
    .sort((a, b) => a.atMs - b.atMs);
  let [own, all, furthest, brokenMs] = [0, 0, 0, fromMs];
  for (const leg of legs) {
    own += leg.own;
    all += 1;
    const ahead = own - share * all;
    if (ahead > mostAhead && furthest <= mostAhead) brokenMs = leg.atMs;
    furthest = Math.max(furthest, ahead);
  }
  const what =
    `${one.batch.batchId} of weight ${one.weight} was more than ${mostAhead} calls ahead of its share, ` +
    `while ${other.batch.batchId} of weight ${other.weight} waited`;
  const about = [one.batch.batchId, other.batch.batchId];
  return [{ ahead: furthest, violation: { rule: 'shares', what, atMs: brokenMs, about } }];
}
