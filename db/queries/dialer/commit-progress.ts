import { sql, type Transaction } from 'kysely';
import type { DB } from '../../types.js';
import type { AnsweredBy, AttemptStatus } from '../../../domain/call/call.js';
import type { ClaimedInvite } from './claim-key.js';
import { asJson, columnsOf, withoutNul } from './columns.js';
import type { UnreportedAttempt } from './report-attempts.js';
import { analysisWithinSeconds } from '../../../domain/call/retry.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';

/** What has been seen of a leg since the last commit. */
export interface LegProgress extends ClaimedInvite {
  readonly batchId: string | null;
  readonly ringingAt?: Date;
  readonly answeredAt?: Date;
  readonly answeredBy?: AnsweredBy;
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
  /** Of the callee, as prices name it; omitted: not known, or not answered. */
  readonly country?: string;
  readonly transcript: unknown;
  /** null settles the call. */
  readonly nextAttemptAt: Date | null;
  /** `nextAttemptAt` was promised to the callee, and is none of the retry plan. */
  readonly isCallback: boolean;
  /** It is settled, but called again if its analysis finds no success in time, and its agent looks for that. */
  readonly dependsOnAnalysis: boolean;
  /** A retry was due but the batch is being cancelled. */
  readonly dropsRetry: boolean;
  /** Its INVITE was never sent and never will be: it counts neither for its number nor for its gateway (`uncountDials`). */
  readonly notSent?: boolean;
}

/** The attempt goes back to the queue for another INVITE, nothing consumed. */
export interface AttemptRequeue extends ClaimedInvite {
  readonly afterSeconds: number;
  readonly freeTries: number;
  readonly throttled: boolean;
  readonly sipStatusCode: number | null;
  readonly sipPhrase: string | null;
  readonly reason: string;
  /** As of an end. */
  readonly notSent?: boolean;
}
// `a.phase || ''` has attempts found by their key: see db/functions/gate-attempts.sql.

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
        ${of('transcript').map(asJson)}::jsonb[], ${of('nextAttemptAt')}::timestamptz[], ${of('calleeHour').map((hour) => hour ?? null)}::timestamp[],
        ${of('isCallback')}::boolean[], ${of('dependsOnAnalysis')}::boolean[],
        ${of('country').map((country) => country ?? null)}::text[])
        as z ("callId", attempt, invite, "claimId", status, permanent, reason, "sipStatusCode", "sipPhrase", "answeredBy",
          "ringingAt", "answeredAt", "endedAt", transcript, "nextAttemptAt", "calleeHour", "isCallback", "dependsOnAnalysis",
          country)
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
        next_attempt_at = e."nextAttemptAt", callee_hour = e."calleeHour", country = e.country
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
        and (e."nextAttemptAt" is null or e."isCallback")
      join agent_versions v on v.id = d.version_id and v.summarizes
      cross join summary_start(d.account_id, d.call_id, d.number) s
    ),
    analyzed as (
      insert into outbox (kind, name, workflow_id, input)
      select s.* from ended d
      join ends e on e."callId" = d.call_id and e.attempt = d.number and e.status = 'answered'
        and (e."nextAttemptAt" is null or e."isCallback") and d.answered_by is distinct from 'machine'
      join agent_versions v on v.id = d.version_id and v.analyzes
      cross join analysis_start(d.account_id, d.call_id, d.number) s
    ),
    -- What a call has used stays used, though its record shows the latest attempt only (count_usage).
    used as (
      insert into usage_days as u (account_id, day, backend, answered, talk_seconds)
      select d.account_id, (clock_timestamp() at time zone 'UTC')::date, pg_backend_pid(),
        count(*), coalesce(sum(extract(epoch from d.ended_at - d.answered_at)), 0)
      from ended d join ends e on e."callId" = d.call_id and e.attempt = d.number
      where e."nextAttemptAt" is not null and e.status = 'answered'
      group by d.account_id
      on conflict (account_id, day, backend) do update set
        answered = u.answered + excluded.answered, talk_seconds = u.talk_seconds + excluded.talk_seconds
    ),
    shown as (
      update calls c
      set status = case when e."nextAttemptAt" is null then e.status else 'retrying' end,
        attempts_made = d.number, withdrawn_invites = null, next_attempt_at = e."nextAttemptAt", last_outcome = e.status,
        sip_status_code = e."sipStatusCode", reason = e.reason, answered_by = d.answered_by, answered_at = d.answered_at,
        ended_at = d.ended_at, simulated = ${simulated},
        -- What belongs to an earlier conversation is not of this one, also if nothing is said in it.
        transcript = coalesce(e.transcript, case when e.status = 'answered' and (c.transcript_attempt < d.number
          or d.again and c.transcript_attempt is distinct from d.number) then null else c.transcript end),
        summary = case when e.status = 'answered' then null else c.summary end,
        summary_error = case when e.status = 'answered' then null else c.summary_error end,
        analysis = case when e.status = 'answered' then null else c.analysis end,
        analysis_error = case when e.status = 'answered' then null else c.analysis_error end,
        success = case when e.status = 'answered' then null else c.success end,
        analyzed_at = case when e.status = 'answered' then null else c.analyzed_at end,
        analysis_until = case when e."dependsOnAnalysis" and d.answered_by is distinct from 'machine' and exists (
          select 1 from agent_versions v where v.id = d.version_id and v.analyzes and v.config #>> '{analysis,success}' is not null)
          then clock_timestamp() + make_interval(secs => ${sql.lit(analysisWithinSeconds)}) end,
        talk_seconds = case when e."nextAttemptAt" is null then extract(epoch from d.ended_at - d.answered_at) end,
        callback_at = case when e."isCallback" then e."nextAttemptAt" else c.callback_at end,
        callback_attempt = case when e."isCallback" then d.number + 1 else c.callback_attempt end,
        callbacks = c.callbacks + (e."isCallback" and c.callback_attempt is distinct from d.number + 1)::integer,
        held_until = case when e."isCallback" then e."nextAttemptAt" else c.held_until end,
        held_by = case when e."isCallback" then 'callback' else c.held_by end, updated_at = clock_timestamp()
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
