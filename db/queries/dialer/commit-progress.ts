import { sql, type Transaction } from 'kysely';
import type { DB } from '../../types.js';
import type { AnsweredBy, AttemptStatus } from '../../../domain/call/call.js';
import type { RetryPlan } from '../../../domain/call/retry.js';
import { attemptText } from '../../../domain/call/attempt-key.js';
import type { ClaimedInvite } from './claim-key.js';
import { asJson, columnsOf, withoutNul } from './columns.js';
import type { UnreportedAttempt } from './report-attempts.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';

/** What has been seen of a leg since the last commit. */
export interface LegProgress extends ClaimedInvite {
  readonly batchId: string | null;
  readonly ringingAt?: Date;
  readonly answeredAt?: Date;
  readonly answeredBy?: AnsweredBy;
}

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
  /** The batch is being cancelled: a retry it would have earned is dropped. */
  readonly cancelling: boolean;
  /** Reason of a requested hang-up; null without one. The call is not dialed again after it. */
  readonly hangUpReason: EndReason | null;
  /** The account has SIP webhooks. */
  readonly announced: boolean;
  readonly toNumber: string;
  /** Zones of the recipient, as they were given or worked out; null: none are known. */
  readonly timeZones: readonly string[] | null;
}

/** The end of an attempt that is consumed, for its row and its call. */
export interface AttemptEnd extends ClaimedInvite {
  readonly status: AttemptStatus;
  readonly permanent: boolean;
  readonly reason: EndReason;
  readonly sipStatusCode: number | null;
  readonly sipPhrase: string | null;
  readonly answeredBy: AnsweredBy | null;
  readonly ringingAt: Date | null;
  readonly answeredAt: Date | null;
  readonly endedAt: Date;
  /** Hour in which it was dialed by the callee's clock, `YYYY-MM-DDTHH:00`; omitted: not known. */
  readonly calleeHour?: string;
  readonly transcript: unknown;
  /** null settles the call. */
  readonly nextAttemptAt: Date | null;
  /** A retry was due but the batch is being cancelled. */
  readonly dropsRetry: boolean;
}

/** The attempt goes back to the queue for another INVITE, nothing consumed. */
export interface AttemptRequeue extends ClaimedInvite {
  readonly afterSeconds: number;
  readonly freeTries: number;
  readonly throttled: boolean;
  readonly sipStatusCode: number | null;
  readonly sipPhrase: string | null;
  readonly reason: string;
}
// `a.phase || ''` has attempts found by their key: see db/functions/gate-attempts.sql.
/**
 * Locks what a flush will write, in the order that holds everywhere: batches being cancelled, calls by id, counters.
 *
 * @returns the facts for each attempt that is still live at this INVITE and under this claim; the others have ended or belong
 * to another dialer
 */
export async function lockForProgress(
  tx: Transaction<DB>,
  legs: readonly { readonly key: ClaimedInvite; readonly batchId: string | null }[],
): Promise<Map<string, AttemptBeforeEnd>> {
  const batchIds = [...new Set(legs.flatMap((leg) => leg.batchId ?? []))];
  const cancelling =
    batchIds.length === 0
      ? []
      : (
          await sql<{ id: string }>`
            -- prepared
            select id from batches where id = any(${batchIds}::text[]) and status = 'cancelling'
            order by id for no key update`.execute(tx)
        ).rows.map((row) => row.id);

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
    for no key update of c`.execute(tx);

  // The statements that follow change calls of one batch after another, and a trigger counts each: all counters are taken
  // now, in the order in which the gate takes them, or the two could wait for each other.
  await sql`
      -- prepared
      select 1 from batch_counters where batch_id = any(${batchIds}::text[]) order by batch_id for update`.execute(tx);

  return new Map(
    rows.map(({ batchId, retryOn, retryDelaysSeconds, minRetryDelaySeconds, ...row }) => [
      attemptText(row),
      {
        ...row,
        retry:
          retryOn === null || retryDelaysSeconds === null
            ? null
            : {
                retryOn,
                // A batch may be older than the operator's limit.
                retryDelaysSeconds: retryDelaysSeconds.map((delay) => Math.max(delay, minRetryDelaySeconds ?? 0)),
              },
        cancelling: batchId !== null && cancelling.includes(batchId),
      },
    ]),
  );
}

/** Ringing and answered, for legs that go on. States never move backwards. */
export async function writeProgress(tx: Transaction<DB>, progress: readonly LegProgress[]): Promise<void> {
  if (progress.length === 0) return;
  await sql`
    -- prepared
    with seen as (
      select * from unnest(
        ${progress.map((leg) => leg.callId)}::uuid[], ${progress.map((leg) => leg.attempt)}::smallint[],
        ${progress.map((leg) => leg.invite)}::smallint[], ${progress.map((leg) => leg.ringingAt ?? null)}::timestamptz[],
        ${progress.map((leg) => leg.answeredAt ?? null)}::timestamptz[],
        ${progress.map((leg) => leg.answeredBy ?? null)}::text[], ${progress.map((leg) => leg.claimId)}::uuid[])
        as z (call_id, number, invite, ringing_at, answered_at, answered_by, claim_id)
    ),
    moved as (
      update call_attempts a
      set phase = case when s.answered_at is not null then 'answered' when a.phase = 'dialing' then 'ringing' else a.phase end,
        ringing_at = coalesce(a.ringing_at, s.ringing_at), answered_at = coalesce(a.answered_at, s.answered_at),
        answered_by = coalesce(nullif(s.answered_by, 'unknown'), a.answered_by, s.answered_by)
      from seen s
      where a.call_id = s.call_id and a.number = s.number and a.invite = s.invite and a.claim_id = s.claim_id
        and a.phase || '' in ('dialing', 'ringing', 'answered')
      returning a.call_id, a.answered_at, a.answered_by
    )
    update calls c
    set status = 'in-progress', answered_at = m.answered_at, answered_by = m.answered_by, updated_at = clock_timestamp()
    from moved m
    where c.id = m.call_id and m.answered_at is not null and not c.settled`.execute(tx);
}

/** Ends attempts, and settles their calls or plans the retry. @returns the ends to report to the workflows */
export async function writeEnds(
  tx: Transaction<DB>,
  ends: readonly AttemptEnd[],
  simulated: boolean,
): Promise<UnreportedAttempt[]> {
  if (ends.length === 0) return [];
  const dropped = ends.filter((end) => end.dropsRetry).map((end) => end.callId);
  if (dropped.length > 0) {
    await sql`
      update batches set cancel_dropped = true
      where not cancel_dropped and id in (select batch_id from calls where id = any(${dropped}::uuid[]))`.execute(tx);
  }
  const of = columnsOf(ends);
  const { rows } = await sql<UnreportedAttempt>`
    -- prepared
    with ends as (
      select * from unnest(${of('callId')}::uuid[], ${of('attempt')}::smallint[], ${of('invite')}::smallint[],
        ${of('claimId')}::uuid[], ${of('status')}::text[], ${of('permanent')}::boolean[], ${of('reason')}::text[],
        ${of('sipStatusCode')}::integer[], ${of('sipPhrase').map(withoutNul)}::text[], ${of('answeredBy')}::text[],
        ${of('ringingAt')}::timestamptz[], ${of('answeredAt')}::timestamptz[], ${of('endedAt')}::timestamptz[],
        ${of('transcript').map(asJson)}::jsonb[], ${of('nextAttemptAt')}::timestamptz[], ${of('calleeHour').map((hour) => hour ?? null)}::timestamp[])
        as z ("callId", attempt, invite, "claimId", status, permanent, reason, "sipStatusCode", "sipPhrase", "answeredBy",
          "ringingAt", "answeredAt", "endedAt", transcript, "nextAttemptAt", "calleeHour")
    ),
    ended as (
      update call_attempts a
      set phase = 'ended', outcome = e.status, permanent = e.permanent, reason = e.reason,
        sip_status_code = e."sipStatusCode", sip_phrase = e."sipPhrase",
        -- The agent of a real call knows who answered; the carrier's driver does not.
        answered_by = coalesce(nullif(e."answeredBy", 'unknown'), a.answered_by, e."answeredBy"), ringing_at = coalesce(a.ringing_at, e."ringingAt"),
        answered_at = coalesce(a.answered_at, e."answeredAt"),
        -- Clocks differ, and are set back: no end comes before what it ends.
        ended_at = greatest(e."endedAt", a.dialed_at, coalesce(a.ringing_at, e."ringingAt"), coalesce(a.answered_at, e."answeredAt")),
        next_attempt_at = e."nextAttemptAt", callee_hour = e."calleeHour"
      from ends e
      where a.call_id = e."callId" and a.number = e.attempt and a.invite = e.invite and a.claim_id = e."claimId"
        and a.phase || '' in ('dialing', 'ringing', 'answered')
      returning a.call_id, a.number, a.account_id, a.batch_id, a.position, a.version_id, a.answered_at, a.answered_by,
        a.ended_at, a.again
    ),
    summarized as (
      insert into outbox (kind, name, workflow_id, input)
      select s.* from ended d
      join ends e on e."callId" = d.call_id and e.attempt = d.number and e.status = 'answered'
      join agent_versions v on v.id = d.version_id and v.summarizes
      cross join summary_start(d.account_id, d.call_id) s
    ),
    shown as (
      update calls c
      set status = case when e."nextAttemptAt" is null then e.status else 'retrying' end,
        attempts_made = d.number, next_attempt_at = e."nextAttemptAt", last_outcome = e.status,
        sip_status_code = e."sipStatusCode", reason = e.reason, answered_by = d.answered_by, answered_at = d.answered_at,
        ended_at = d.ended_at, transcript = coalesce(e.transcript, c.transcript), simulated = ${simulated},
        summary = case when d.again and e.status = 'answered' then null else c.summary end, -- of an earlier conversation
        summary_error = case when d.again and e.status = 'answered' then null else c.summary_error end,
        talk_seconds = extract(epoch from d.ended_at - d.answered_at), updated_at = clock_timestamp()
      from ended d join ends e on e."callId" = d.call_id and e.attempt = d.number
      where c.id = d.call_id and not c.settled
    )
    select d.call_id as "callId", d.number as attempt, d.batch_id as "batchId", d.position,
      b.calls_per_workflow as "callsPerWorkflow", e."nextAttemptAt"
    from ended d
    join ends e on e."callId" = d.call_id and e.attempt = d.number
    left join batches b on b.id = d.batch_id`.execute(tx);
  return rows;
}

/**
 * Back to the queue: dialing → queued, which opens the next INVITE of the same attempt. It is due no sooner than a change of the
 * calling window has said meanwhile.
 */
export async function writeRequeues(tx: Transaction<DB>, requeues: readonly AttemptRequeue[]): Promise<void> {
  if (requeues.length === 0) return;
  const of = columnsOf(requeues);
  await sql`
    -- prepared
    with again as (
      select * from unnest(${of('callId')}::uuid[], ${of('attempt')}::smallint[], ${of('invite')}::smallint[],
        ${of('claimId')}::uuid[], ${of('afterSeconds')}::float8[], ${of('freeTries')}::smallint[],
        ${of('throttled')}::boolean[], ${of('sipStatusCode')}::integer[], ${of('sipPhrase').map(withoutNul)}::text[],
        ${of('reason').map(withoutNul)}::text[])
        as z ("callId", attempt, invite, "claimId", "afterSeconds", "freeTries", throttled, "sipStatusCode", "sipPhrase", reason)
    ),
    queued as (
      update call_attempts a
      set phase = 'queued', claimed_by = null, dial_at = null, ringing_at = null,
        due_at = greatest(a.due_at, clock_timestamp() + make_interval(secs => g."afterSeconds")),
        expires_at = case when a.expires_at < 'infinity'
          then greatest(a.expires_at, clock_timestamp() + make_interval(secs => g."afterSeconds" + 60)) else a.expires_at end,
        free_tries = g."freeTries",
        throttled_since = case when g.throttled then coalesce(a.throttled_since, clock_timestamp()) else a.throttled_since end,
        sip_status_code = g."sipStatusCode", sip_phrase = g."sipPhrase", reason = g.reason
      from again g
      where a.call_id = g."callId" and a.number = g.attempt and a.invite = g.invite and a.claim_id = g."claimId"
        and a.phase || '' in ('dialing', 'ringing')
      returning a.call_id, a.due_at
    )
    update calls c
    set status = case when c.attempts_made = 0 then 'pending' else 'retrying' end,
      next_attempt_at = case when c.attempts_made = 0 then null else q.due_at end, updated_at = clock_timestamp()
    from queued q where c.id = q.call_id and not c.settled`.execute(tx);
}
