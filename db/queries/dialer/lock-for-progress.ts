import { sql, type Transaction } from 'kysely';
import { type AttemptKey, attemptText } from '../../../domain/call/attempt-key.js';
import type { AnsweredBy } from '../../../domain/call/call.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';
import type { RetryPlan } from '../../../domain/call/retry.js';
import type { DB } from '../../types.js';
import type { ClaimedInvite } from './claim-key.js';

/** The facts by which the end of an attempt is decided, read under the lock of its call. */
export interface AttemptBeforeEnd extends ClaimedInvite {
  readonly gatewayId: string;
  /** When this INVITE was let out. */
  readonly dialedAt: Date;
  /** The database's clock, by which the next attempt is due. */
  readonly now: Date;
  readonly freeTries: number;
  readonly throttledSeconds: number;
  readonly consecutiveSilences: number;
  readonly gatewaySuspended: boolean;
  /** null for a single call, for a batch without retries, and for an attempt that was asked for outside the plan. */
  readonly retry: RetryPlan | null;
  /** A call of a batch, not a single one. */
  readonly ofBatch: boolean;
  /** The batch is being cancelled: a retry it would have earned is dropped. */
  readonly cancelling: boolean;
  /** The batch stops after so many answers, and is locked. */
  readonly stopsAfterAnswers: boolean;
  /** The batch stops at what its calls have cost, and is locked. */
  readonly stopsAtCost: boolean;
  /** Reason of a requested hang-up; null without one. */
  readonly hangUpReason: EndReason | null;
  /** As the agent has noted it; null: it has not, or nothing depends on it. */
  readonly answeredBy: AnsweredBy | null;
  /** When the callee was promised another call after this one; null: they were not. */
  readonly callbackAt: Date | null;
  /** The account has SIP webhooks. */
  readonly announced: boolean;
  readonly toNumber: string;
  /** Zones of the recipient, as they were given or worked out; null: none are known. */
  readonly timeZones: readonly string[] | null;
}

// `a.phase || ''` has attempts found by their key: see db/functions/gate-attempts.sql.
/**
 * Locks what a flush will write, in the order that holds everywhere: batches being cancelled and those that stop after so many
 * answers or at a cost, calls by id with their attempts, counters. The attempts are locked because what is read of them has to
 * hold until the commit: another transaction may write the same ends at this moment (the answer to its commit was lost), or
 * another dialer may take the legs over.
 *
 * @returns the facts for each attempt that is still live at this INVITE and under this claim; the others have ended or belong
 * to another dialer
 */
export async function lockForProgress(
  tx: Transaction<DB>,
  legs: readonly { readonly key: ClaimedInvite; readonly batchId: string | null }[],
): Promise<Map<string, AttemptBeforeEnd>> {
  const batchIds = [...new Set(legs.flatMap((leg) => leg.batchId ?? []))];
  const locked =
    batchIds.length === 0
      ? []
      : (
          await sql<{ id: string; cancelling: boolean; stopsAfterAnswers: boolean; stopsAtCost: boolean }>`
            -- prepared
            select id, status = 'cancelling' as cancelling, stop_after_answered is not null as "stopsAfterAnswers",
              max_cost is not null as "stopsAtCost"
            from batches where id = any(${batchIds}::text[])
              and (status = 'cancelling' or stop_after_answered is not null or max_cost is not null)
            order by id for no key update`.execute(tx)
        ).rows;
  const batches = new Map(locked.map((batch) => [batch.id, batch]));

  const { rows } = await sql<{
    callId: string;
    attempt: number;
    claimId: string;
    invite: number;
    gatewayId: string;
    dialedAt: Date;
    now: Date;
    batchId: string | null;
    freeTries: number;
    throttledSeconds: number;
    consecutiveSilences: number;
    gatewaySuspended: boolean;
    retryOn: RetryPlan['retryOn'] | null;
    retryDelaysSeconds: number[] | null;
    minRetryDelaySeconds: number | null;
    hangUpReason: EndReason | null;
    callbackAt: Date | null;
    announced: boolean;
    toNumber: string;
    timeZones: string[] | null;
  }>`
    -- prepared
    select a.call_id as "callId", a.number as attempt, a.claim_id as "claimId", a.invite, a.gateway_id as "gatewayId",
      a.dialed_at as "dialedAt", clock_timestamp() as now, a.batch_id as "batchId",
      a.free_tries as "freeTries", w.consecutive_silences as "consecutiveSilences",
      w.suspended_since is not null as "gatewaySuspended",
      coalesce(extract(epoch from clock_timestamp() - a.throttled_since), 0)::float8 as "throttledSeconds",
      b.retry_on as "retryOn", b.retry_delays_seconds as "retryDelaysSeconds",
      operator_limit('minRetryDelaySeconds')::integer as "minRetryDelaySeconds",
      case when a.hang_up_at is not null then coalesce(a.hang_up_reason, 'ended_by_api') end as "hangUpReason",
      case when c.callback_attempt = a.number + 1 then c.callback_at end as "callbackAt",
      exists (select 1 from sip_webhooks v where v.account_id = a.account_id) as announced,
      c.to_number as "toNumber", c.time_zones as "timeZones"
    from unnest(${legs.map((leg) => leg.key.callId)}::uuid[], ${legs.map((leg) => leg.key.attempt)}::smallint[],
      ${legs.map((leg) => leg.key.invite)}::smallint[], ${legs.map((leg) => leg.key.claimId)}::uuid[])
      as z (call_id, number, invite, claim_id)
    join calls c on c.id = z.call_id
    join call_attempts a on a.call_id = z.call_id and a.number = z.number and a.invite = z.invite
      and a.claim_id = z.claim_id
    join gateway_admission w on w.gateway_id = a.gateway_id
    left join batches b on b.id = a.batch_id and b.retry_enabled and not a.again
    where a.phase || '' in ('dialing', 'ringing', 'answered')
    order by c.id
    for no key update of c, a`.execute(tx);

  // The statements that follow change calls of one batch after another, and a trigger counts each: all counters are taken
  // now, in the order in which the gate takes them, or the two could wait for each other.
  await sql`
      -- prepared
      select 1 from batch_counters where batch_id = any(${batchIds}::text[]) order by batch_id for update`.execute(tx);

  const answeredBy = await answeredByOf(
    tx,
    rows.filter(({ retryOn }) => retryOn?.includes('voicemail') === true),
  );
  return new Map(
    rows.map(({ batchId, retryOn, retryDelaysSeconds, minRetryDelaySeconds, ...row }) => [
      attemptText(row),
      {
        ...row,
        answeredBy: answeredBy.get(attemptText(row)) ?? null,
        retry:
          retryOn === null || retryDelaysSeconds === null
            ? null
            : {
                retryOn,
                // A batch may be older than the operator's limit.
                retryDelaysSeconds: retryDelaysSeconds.map((delay) => Math.max(delay, minRetryDelaySeconds ?? 0)),
              },
        ofBatch: batchId !== null,
        cancelling: batchId !== null && batches.get(batchId)?.cancelling === true,
        stopsAfterAnswers: batchId !== null && batches.get(batchId)?.stopsAfterAnswers === true,
        stopsAtCost: batchId !== null && batches.get(batchId)?.stopsAtCost === true,
      },
    ]),
  );
}

/** Who answered attempts whose calls are locked. An agent notes it under the same lock: what it noted while this waited counts. */
async function answeredByOf(tx: Transaction<DB>, attempts: readonly AttemptKey[]): Promise<Map<string, AnsweredBy>> {
  if (attempts.length === 0) return new Map();
  const { rows } = await sql<AttemptKey & { answeredBy: AnsweredBy }>`
    -- prepared
    select a.call_id as "callId", a.number as attempt, a.answered_by as "answeredBy"
    from unnest(${attempts.map(({ callId }) => callId)}::uuid[], ${attempts.map(({ attempt }) => attempt)}::smallint[])
      as z (call_id, number)
    join call_attempts a on a.call_id = z.call_id and a.number = z.number
    where a.answered_by is not null`.execute(tx);
  return new Map(rows.map((row) => [attemptText(row), row.answeredBy]));
}
