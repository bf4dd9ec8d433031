import { attemptsOf } from './attempts.js';
import { isDone, isOf, roundedMs } from './call-orders.js';
import type { AccountEvidence, BatchAnswer, BatchEvidence, CallOrder, Evidence, RecordAnswer } from './evidence.js';
import { inForce, longestRoadMs, mayHaveLeftBefore, type Violation } from './evidence.js';
import type { CallLegs, Leg } from './legs.js';

type Held = Evidence['roadHeld'];

/** Nobody is called before their notBefore, nor before the time that was promised. */
export function tooEarly(call: CallLegs, batch: BatchEvidence, held: Held): Violation[] {
  const about = [call.callId, call.to, batch.batchId];
  const found: Violation[] = [];
  const [first] = call.legs;
  const wishes = batch.wishes.get(call.to);
  if (first !== undefined && wishes !== undefined) {
    const instants = inForce(wishes, first.atMs - longestRoadMs(first.atMs, held), first.atMs).map(
      ({ notBeforeMs }) => notBeforeMs ?? -Infinity,
    );
    const earliestMs = Math.min(...instants);
    if (first.atMs < earliestMs - roundedMs) {
      const what = `${call.callId} (${call.to}) was dialed ${earliestMs - first.atMs} ms before its notBefore`;
      found.push({ rule: 'not-before', what, atMs: first.atMs, about });
    }
  }
  const orders = batch.orders.filter(isOf(call.to));
  for (const [leg] of attemptsOf(call)) {
    if (leg === undefined || leg.invite > 1) continue;
    for (const [place, order] of orders.entries()) {
      const left = mayHaveLeftBefore(order.answeredAtMs, leg.atMs, held) || order.dueMs - roundedMs <= leg.atMs;
      if (left || orders.slice(place + 1).some(({ askedAtMs }) => askedAtMs <= leg.atMs)) continue;
      const what = `${call.callId} (${call.to}) attempt ${leg.attempt} was dialed ${order.dueMs - leg.atMs} ms before the time that was promised`;
      found.push({ rule: 'callback', what, atMs: leg.atMs, about });
    }
  }
  return found;
}

/** Which order about a recipient was answered with 200 and not carried out, in words; null if all were. */
export function orderNotKept(
  batch: BatchEvidence,
  record: RecordAnswer,
  call: CallLegs | undefined,
  account: AccountEvidence | undefined,
): string | null {
  const skip = batch.skips.get(record.phoneNumber);
  // A skip ends what was ordered before it; whoever orders a call after it ends the skip.
  const orderedSinceMs = skip === undefined || skip.untilMs === Infinity ? 0 : skip.untilMs;
  const orders = batch.orders.filter(isOf(record.phoneNumber)).filter(({ askedAtMs }) => askedAtMs >= orderedSinceMs);
  const isSkipped = record.status === 'cancelled' && record.reason === 'skipped';
  if (skip !== undefined && skip.fromMs < Infinity && skip.untilMs === Infinity && !isSkipped) {
    return `was skipped, and is ${record.status} ${record.reason ?? ''}`;
  }
  const optedOut = account?.optOuts.has(record.phoneNumber) === true && record.reason === 'do_not_call';
  if (optedOut || record.status === 'cancelled') return null;
  const wasHungUp = ({ askedAtMs }: CallOrder): boolean =>
    account?.hangUps.some(({ untilMs }) => untilMs >= askedAtMs) === true;
  // One that was skipped after the carrier had refused its INVITE goes on in the same attempt if it is called after all.
  const goesOn = ({ atMs }: Leg): boolean => skip !== undefined && skip.fromMs < atMs;
  const starts = (call === undefined ? [] : attemptsOf(call)).flatMap((legs) =>
    legs.filter((leg, place) => place === 0 || goesOn(leg)).map(({ atMs }) => atMs),
  );
  const isNow = `, and is ${record.status} ${record.reason ?? ''} after ${record.attempts} attempts`;
  const since = (atMs: number): number => starts.filter((start) => start >= atMs).length;

  const agains = orders.filter((order) => order.kind === 'again' && isDone(order) && !wasHungUp(order));
  for (const [place, { askedAtMs }] of agains.entries()) {
    const least = agains.length - place;
    if (since(askedAtMs) < least)
      return `was to be called again ${least} times, and was ${since(askedAtMs)} times${isNow}`;
  }
  for (const [place, order] of orders.entries()) {
    if (order.kind !== 'callback' || !isDone(order) || wasHungUp(order)) continue;
    const dueMs = Math.min(...orders.slice(place).map((each) => each.dueMs)) - roundedMs;
    if (since(Math.max(dueMs, order.askedAtMs)) === 0)
      return `was promised a callback, and was not called back${isNow}`;
  }
  return null;
}

/** What the API says of a recipient is what was last asked for. */
export function wishesNotKept(batch: BatchEvidence, { phoneNumber, wishes }: RecordAnswer): string | null {
  const asked = batch.wishes.get(phoneNumber);
  if (asked === undefined || wishes === undefined) return null;
  const last = asked.at(-1);
  // Requests that were never answered may have been carried out after it.
  const sinceMs = last !== undefined && last.answeredAtMs < Infinity ? last.answeredAtMs + 1 : (last?.askedAtMs ?? 0);
  const allowed = inForce(asked, sinceMs, Infinity).map((each) => JSON.stringify(sorted(each)));
  const has = JSON.stringify(sorted(wishes));
  return allowed.includes(has) ? null : `has ${has}, and was last to have ${allowed.join(' or ')}`;
}

const sorted = ({ notBeforeMs, priority, name }: NonNullable<RecordAnswer['wishes']>) => ({
  notBeforeMs,
  priority,
  name,
});

/** An open batch does not complete, and nobody is called once it has. */
export function completedTooSoon(batch: BatchEvidence, end: BatchAnswer, legs: readonly Leg[], held: Held): string[] {
  if (end.status !== 'completed') return [];
  const { completedAtMs } = end;
  const found: string[] = [];
  if (
    !batch.cancelAsked &&
    end.stoppedBy === undefined &&
    !inForce(batch.open, completedAtMs, completedAtMs).includes(false)
  ) {
    found.push('it completed while it was open for more recipients');
  }
  const late = legs.find(({ atMs }) => !mayHaveLeftBefore(completedAtMs, atMs, held));
  if (late !== undefined) found.push(`${late.callId} (${late.to}) was dialed after it had completed`);
  return found;
}
