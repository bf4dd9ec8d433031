import type { AccountEvidence, BatchAnswer, BatchEvidence, Evidence, Violation } from './evidence.js';
import { inForce, longestRoadMs, mayHaveLeftBefore } from './evidence.js';
import type { Interval } from '../journal.js';
import type { Leg } from './legs.js';

/** An INVITE that left by the instant at which its batch stops has arrived by then, if nothing held it up. */
const arrivedMs = 1_000;
/** From an answer of the carrier to its commit… */
const commitMs = 2_000;
/** …and after something was broken: a dialer that died is missed when its lease is over, and another one asks for its calls. */
const takenOverMs = 30_000;

export const reasonOfStop: Readonly<Record<string, string>> = {
  answered: 'stopped_after_answered',
  success: 'stopped_after_success',
  until: 'stopped_at_until',
  maxCost: 'stopped_at_max_cost',
};

/** When what the carrier did then is committed at the latest. */
function committedMs(atMs: number, broken: readonly Interval[]): number {
  let latestMs = atMs + commitMs;
  for (const { fromMs, untilMs } of [...broken].sort((a, b) => a.fromMs - b.fromMs)) {
    if (fromMs <= latestMs && untilMs >= atMs - commitMs) latestMs = Math.max(latestMs, untilMs + takenOverMs);
  }
  return latestMs;
}

/** Nobody is called at the instant at which the batch stops, nor later, nor once it has said that it is stopped. */
export function afterStop(batch: BatchEvidence, leg: Leg, held: Evidence['roadHeld']): Violation[] {
  const about = [leg.callId, leg.to, batch.batchId];
  const found: Violation[] = [];
  const roadMs = longestRoadMs(leg.atMs, held);
  const instants = inForce(batch.stopAt, leg.atMs - roadMs, leg.atMs).map((atMs) => atMs ?? Infinity);
  const untilMs = Math.max(...instants);
  const isHeld = held.some((each) => each.fromMs <= leg.atMs && each.untilMs >= untilMs);
  if (leg.atMs > untilMs + (isHeld ? roadMs : arrivedMs)) {
    const what = `${leg.callId} (${leg.to}) was dialed ${leg.atMs - untilMs} ms after the instant at which its batch stops`;
    found.push({ rule: 'stop', what, atMs: leg.atMs, about });
  }
  if (!mayHaveLeftBefore(batch.stopSeenMs, leg.atMs, held)) {
    const what = `${leg.callId} (${leg.to}) was dialed ${leg.atMs - batch.stopSeenMs} ms after the API had said that its batch was stopped`;
    found.push({ rule: 'stop', what, atMs: leg.atMs, about });
  }
  return found;
}

/**
 * Whether this is an answer that counts. One that an announcement gave does not, nor one of a mailbox if its batch calls again whom it
 * reached by one; one that goes on does as long as it goes on.
 */
const counts = ({ answeredAtMs, end }: Leg, retriesMailboxes: boolean): boolean =>
  answeredAtMs !== undefined &&
  (end === undefined ||
    (end.how === 'ended' && end.by !== 'announcement' && !(retriesMailboxes && end.by === 'mailbox')));

/** Nobody is called once so many have answered, and the dialer that heard it had the time to say so. */
export function afterAnswers(
  batch: BatchEvidence,
  legs: readonly Leg[],
  { roadHeld, paceHeld }: Pick<Evidence, 'roadHeld' | 'paceHeld'>,
): Violation[] {
  // Who is called again has not answered any more.
  if (batch.stopAfterAnswered.every(({ value }) => value === null) || batch.orders.length > 0) return [];
  const retriesMailboxes = batch.retry.some(({ value }) => value?.retryOn.includes('voicemail') === true);
  const answers = legs
    .filter((leg) => counts(leg, retriesMailboxes))
    .map(({ answeredAtMs = Infinity }) => answeredAtMs)
    .sort((a, b) => a - b);
  return legs.flatMap((leg) => {
    const values = batch.stopAfterAnswered.filter(({ askedAtMs }) => askedAtMs <= leg.atMs).map(({ value }) => value);
    const most = Math.max(...values.map((value) => value ?? Infinity));
    const lastMs = answers[most - 1];
    if (lastMs === undefined || lastMs > leg.atMs) return [];
    const knownMs = committedMs(lastMs, [...paceHeld, ...roadHeld]);
    if (mayHaveLeftBefore(knownMs, leg.atMs, roadHeld)) return [];
    const what = `${leg.callId} (${leg.to}) was dialed ${leg.atMs - lastMs} ms after the answer that stops its batch, the ${most}th`;
    return [{ rule: 'stop', what, atMs: leg.atMs, about: [leg.callId, leg.to, batch.batchId] }];
  });
}

/** Nobody is called once the API has told of so many successes: the one that stops a batch is stored with its stop. */
export function afterSuccesses(batch: BatchEvidence, legs: readonly Leg[], held: Evidence['roadHeld']): Violation[] {
  // The success of who is called again does not count any more.
  if (batch.orders.length > 0) return [];
  return legs.flatMap((leg) => {
    // What was asked for last may never have been done, or be done yet.
    const most = Math.max(
      ...batch.stopAfterSuccess.filter(({ askedAtMs }) => askedAtMs <= leg.atMs).map(({ value }) => value ?? Infinity),
    );
    const seen = batch.successesSeen.find(({ count }) => count >= most);
    if (seen === undefined || mayHaveLeftBefore(seen.atMs, leg.atMs, held)) return [];
    const what = `${leg.callId} (${leg.to}) was dialed ${leg.atMs - seen.atMs} ms after the API had told of ${seen.count} successes, and its batch stops after ${most}`;
    return [{ rule: 'stop', what, atMs: leg.atMs, about: [leg.callId, leg.to, batch.batchId] }];
  });
}

/** Those of these that cost something for certain: they were answered and have ended. */
const paid = (legs: readonly Leg[]): Leg[] => legs.filter((leg) => counts(leg, false) && leg.end !== undefined);

/** Nobody is called once the calls that have ended cost as much, and the dialer that heard the last end had the time to say so. */
export function afterCost(
  batch: BatchEvidence,
  legs: readonly Leg[],
  { roadHeld, paceHeld }: Pick<Evidence, 'roadHeld' | 'paceHeld'>,
): Violation[] {
  if (batch.maxCost.every(({ value }) => value === null)) return [];
  const ends = paid(legs)
    .map(({ end }) => end?.atMs ?? Infinity)
    .sort((a, b) => a - b);
  return legs.flatMap((leg) => {
    const values = batch.maxCost.filter(({ askedAtMs }) => askedAtMs <= leg.atMs).map(({ value }) => value);
    const most = Math.max(...values.map((value) => value ?? Infinity));
    const lastMs = ends[most - 1];
    if (lastMs === undefined || lastMs > leg.atMs) return [];
    if (mayHaveLeftBefore(committedMs(lastMs, [...paceHeld, ...roadHeld]), leg.atMs, roadHeld)) return [];
    const what = `${leg.callId} (${leg.to}) was dialed ${leg.atMs - lastMs} ms after the end with which its batch has cost ${most}`;
    return [{ rule: 'stop', what, atMs: leg.atMs, about: [leg.callId, leg.to, batch.batchId] }];
  });
}

/** A batch costs what its answered calls cost. Of those that were hung up or cancelled it may never have been known that they were. */
export function costNotTrue(
  batch: BatchEvidence,
  end: BatchAnswer,
  legs: readonly Leg[],
  account: AccountEvidence | undefined,
): string[] {
  if (batch.cancelAsked || (account?.hangUps.length ?? 0) > 0) return [];
  const [least, most] = [paid(legs).length, legs.filter(({ answeredAtMs }) => answeredAtMs !== undefined).length];
  const { cost = 0 } = end;
  return cost >= least && cost <= most
    ? []
    : [`it has cost ${cost}, and ${least} to ${most} calls of it were answered`];
}

/** What is wrong with how a batch was stopped, in words. */
export function stopNotMeant(batch: BatchEvidence, end: BatchAnswer, legs: readonly Leg[]): string[] {
  const found: string[] = [];
  const answered = end.counts.answered ?? 0;
  const wanted = batch.stopAfterAnswered.flatMap(({ value }) => value ?? []);
  const instants = batch.stopAt.flatMap(({ value }) => value ?? []);
  if (end.stoppedBy === 'answered') {
    // Who is called again after the stop answers no more.
    if (wanted.length === 0 || (batch.orders.length === 0 && answered < Math.min(...wanted))) {
      found.push(`it was stopped after ${answered} answers, and was to stop after ${wanted.join(' or ')}`);
    }
  } else if (end.stoppedBy === 'success') {
    const successes = end.records.filter(({ success }) => success === true).length;
    const amounts = batch.stopAfterSuccess.flatMap(({ value }) => value ?? []);
    if (amounts.length === 0 || (batch.orders.length === 0 && successes < Math.min(...amounts))) {
      found.push(`it was stopped after ${successes} successes, and was to stop after ${amounts.join(' or ')}`);
    }
  } else if (end.stoppedBy === 'until') {
    if (instants.length === 0 || end.completedAtMs < Math.min(...instants))
      found.push('it was stopped before its instant');
  } else if (end.stoppedBy === 'maxCost') {
    const amounts = batch.maxCost.flatMap(({ value }) => value ?? []);
    const most = legs.filter(({ answeredAtMs }) => answeredAtMs !== undefined).length;
    if (amounts.length === 0 || most < Math.min(...amounts))
      found.push(`it was stopped at the cost of ${most} answered calls, and was to stop at ${amounts.join(' or ')}`);
  } else if (end.stoppedBy !== undefined) found.push(`it was stopped by ${end.stoppedBy}, which nobody asked for`);
  const reason = reasonOfStop[end.stoppedBy ?? ''];
  for (const { callId, phoneNumber, status, reason: given = '' } of end.records) {
    if (status !== 'cancelled' || !given.startsWith('stopped_') || given === reason) continue;
    found.push(
      `${callId} (${phoneNumber}) is cancelled by ${given}, the batch was stopped by ${end.stoppedBy ?? 'nothing'}`,
    );
  }
  return found;
}
