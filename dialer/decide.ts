import type { AttemptBeforeEnd, AttemptEnd, AttemptRequeue } from '../db/queries/dialer/commit-progress.js';
import { backoffSeconds, dispositionOf, type Disposition } from '../domain/call/disposition.js';
import { signOf, type GatewaySign } from '../domain/call/gateway-health.js';
import { planAfter } from '../domain/call/retry.js';
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
  const disposition = dispositionOf(result, before);
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

function endOf(
  before: AttemptBeforeEnd,
  result: AttemptResult,
  { status, permanent, reason }: Extract<Disposition, { kind: 'ended' }>,
  ringingAt: Date | null,
): AttemptEnd {
  const { callId, attempt, claimId, invite, retry, cancelling } = before;
  const retryInSeconds = planAfter({ status, permanent }, retry, { attemptsMade: attempt });
  // The provider's clock may be wrong: an end before the INVITE, or still to come, is now.
  const endedAt = result.at < before.dialedAt || result.at > before.now ? before.now : result.at;
  const givenUp = cancelling || before.hangUpReason !== null;
  return {
    callId,
    attempt,
    claimId,
    invite,
    status,
    permanent,
    reason,
    ringingAt,
    sipStatusCode: result.sipStatusCode ?? (status === 'answered' || result.how === 'agent_missing' ? 200 : null),
    sipPhrase: result.sipPhrase ?? null,
    answeredBy: result.answeredBy ?? null,
    answeredAt: result.answeredAt ?? null,
    endedAt: result.at,
    transcript: result.transcript ?? null,
    nextAttemptAt: retryInSeconds === null || givenUp ? null : new Date(endedAt.getTime() + retryInSeconds * 1000),
    dropsRetry: retryInSeconds !== null && cancelling,
  };
}

function requeueOf(
  { callId, attempt, claimId, invite, freeTries }: AttemptBeforeEnd,
  result: AttemptResult,
  disposition: Exclude<Disposition, { kind: 'ended' }>,
): AttemptRequeue {
  const answer = { sipStatusCode: result.sipStatusCode ?? null, sipPhrase: result.sipPhrase ?? null };
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
