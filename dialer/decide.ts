import type { AttemptEnd, AttemptRequeue } from '../db/queries/dialer/commit-progress.js';
import type { AttemptBeforeEnd } from '../db/queries/dialer/lock-for-progress.js';
import { backoffSeconds, dispositionOf, type Disposition, type LegFact } from '../domain/call/disposition.js';
import { endsCall, type EndReason, promiseBreakers } from '../domain/call/end-reasons.js';
import { signOf, type GatewaySign } from '../domain/call/gateway-health.js';
import { dependsOnAnalysis, planAfter } from '../domain/call/retry.js';
import type { AttemptResult } from '../telephony/provider.js';

/** The outcome of an attempt whose leg is over, and what it says about its gateway. */
export type Decision = { readonly sign: GatewaySign | null } & (
  { readonly kind: 'end'; readonly end: AttemptEnd } | { readonly kind: 'requeue'; readonly requeue: AttemptRequeue }
);

/**
 * A fault of the gateway costs an attempt nothing. But if so many INVITEs of one attempt met a fault while the gateway took
 * other calls, the carrier will never take this one.
 */
const faultsOfOneAttempt = 10;

/**
 * Decides, in the transaction that commits it, what the end of a leg means: the attempt is consumed, with or without a retry,
 * or goes back to the queue.
 *
 * @param ringingAt when ringing was first seen; null if it was not
 * @param live calls on the gateway now
 */
export function decide(
  before: AttemptBeforeEnd,
  result: AttemptResult,
  ringingAt: Date | null,
  live: number,
): Decision {
  const disposition = dispositionOf(factOf(result, before), before);
  const sign = signOf(result, disposition, live);
  if (disposition.kind !== 'ended' && before.hangUpReason !== null && !before.cancelling) {
    // The hang-up has been acknowledged: the attempt does not go back to the queue.
    const ended = { kind: 'ended', status: 'abandoned', permanent: false, reason: before.hangUpReason } as const;
    return { kind: 'end', sign, end: endOf(before, result, ended, ringingAt) };
  }
  if (disposition.kind === 'gateway_fault' && before.invite >= faultsOfOneAttempt && !before.gatewaySuspended) {
    const ended = { kind: 'ended', status: 'failed', permanent: false, reason: 'refused_by_gateway' } as const;
    return { kind: 'end', sign, end: endOf(before, result, ended, ringingAt) };
  }
  return disposition.kind === 'ended'
    ? { kind: 'end', sign, end: endOf(before, result, disposition, ringingAt) }
    : { kind: 'requeue', sign, requeue: requeueOf(before, result, disposition) };
}

/** That an announcement answered is known from its hang-up even if the carrier was first to end the call. */
const factOf = (result: AttemptResult, { hangUpReason }: AttemptBeforeEnd): LegFact =>
  result.how === 'ended' && hangUpReason === 'announcement' ? { ...result, reason: hangUpReason } : result;

/** Hang-ups of the agent after which the plan decides, as if the machine had ended the call itself. Others end the call. */
const leavesItToThePlan = (reason: EndReason): boolean =>
  reason === 'voicemail' || reason === 'voicemail_message_left' || reason === 'announcement';

function endOf(
  before: AttemptBeforeEnd,
  result: AttemptResult,
  { status, permanent, reason }: Extract<Disposition, { kind: 'ended' }>,
  ringingAt: Date | null,
): AttemptEnd {
  const { callId, attempt, claimId, invite, retry, cancelling } = before;
  const told = result.answeredBy ?? null;
  // The agent of a real call knows who answered; the carrier's driver does not.
  const answeredBy = told === null || told === 'unknown' ? (before.answeredBy ?? told) : told;
  const retryInSeconds = planAfter({ status, permanent, answeredBy }, retry, { attemptsMade: attempt });
  // The provider's clock may be wrong: an end before the INVITE, or still to come, is now.
  const endedAt = result.at < before.dialedAt || result.at > before.now ? before.now : result.at;
  const givenUp = cancelling || (before.hangUpReason !== null && !leavesItToThePlan(before.hangUpReason));
  const callbackAt = callbackAfter(before, result);
  const planned = retryInSeconds === null || givenUp ? null : new Date(endedAt.getTime() + retryInSeconds * 1000);
  return {
    callId,
    attempt,
    claimId,
    invite,
    status,
    permanent,
    reason,
    ringingAt,
    sipStatusCode: result.sipStatusCode ?? (result.how === 'ended' || result.how === 'agent_missing' ? 200 : null),
    sipPhrase: result.sipPhrase ?? null,
    answeredBy,
    answeredAt: result.answeredAt ?? null,
    endedAt: result.at,
    transcript: result.transcript ?? null,
    nextAttemptAt: callbackAt ?? planned,
    isCallback: callbackAt !== null,
    dependsOnAnalysis:
      !cancelling &&
      callbackAt === null &&
      !endsCall(before.hangUpReason ?? reason) &&
      !endsCall(reason) &&
      dependsOnAnalysis({ status, permanent, answeredBy }, retry, { attemptsMade: attempt }),
    dropsRetry: (retryInSeconds !== null || before.callbackAt !== null) && cancelling,
    ...unsentOf(result),
  };
}

/** When the callee is called next because they asked for it; null: they did not. The agent's own goodbye keeps the promise. */
function callbackAfter(
  { callbackAt, ofBatch, cancelling, hangUpReason }: AttemptBeforeEnd,
  result: AttemptResult,
): Date | null {
  const isBroken = !ofBatch || cancelling || (hangUpReason !== null && promiseBreakers.includes(hangUpReason));
  return isBroken ? null : (callbackAt ?? result.callbackAt ?? null);
}

const unsentOf = ({ how }: AttemptResult): { notSent?: true } => (how === 'not_sent' ? { notSent: true } : {});

function requeueOf(
  { callId, attempt, claimId, invite, freeTries }: AttemptBeforeEnd,
  result: AttemptResult,
  disposition: Exclude<Disposition, { kind: 'ended' }>,
): AttemptRequeue {
  const answer = {
    sipStatusCode: result.sipStatusCode ?? null,
    sipPhrase: result.sipPhrase ?? null,
    ...unsentOf(result),
  };
  return disposition.kind === 'gateway_fault'
    ? {
        callId,
        attempt,
        claimId,
        invite,
        ...answer,
        freeTries,
        throttled: false,
        afterSeconds: backoffSeconds(invite),
        reason: disposition.words,
      }
    : {
        callId,
        attempt,
        claimId,
        invite,
        ...answer,
        afterSeconds: disposition.backoffSeconds,
        freeTries: disposition.freeTries,
        throttled: disposition.why === 'rate' || disposition.why === 'channels',
        reason: disposition.why,
      };
}
