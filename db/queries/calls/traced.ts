import { sql } from 'kysely';
import type { AttemptKey } from '../../../domain/call/attempt-key.js';
import { spanOfCall, spansOfAttempt, type TracedAttempt, type TracedCall } from '../../../domain/trace/call-spans.js';
import type { TraceSpan } from '../../../domain/trace/span.js';
import type { Db } from '../../client.js';

/**
 * The spans of attempts that have ended, and of calls that are over; others of these have none yet.
 *
 * @param over bare UUIDs
 */
export async function spansOfEnded(
  db: Db,
  ended: readonly AttemptKey[],
  over: readonly string[],
): Promise<TraceSpan[]> {
  const attempts = ended.length === 0 ? [] : await tracedAttempts(db, ended);
  const calls = over.length === 0 ? [] : await tracedCalls(db, over);
  return [...attempts.flatMap(spansOfAttempt), ...calls.map(spanOfCall)];
}

/** As milliseconds since 1970: JSON has no instants. */
const instant = (column: string) => sql`extract(epoch from ${sql.ref(column)})::float8 * 1000`;

/** What the spans of these attempts are made of; those that have not ended are left out. */
async function tracedAttempts(db: Db, keys: readonly AttemptKey[]): Promise<TracedAttempt[]> {
  const { rows } = await sql<TracedAttempt>`
    -- prepared
    select a.call_id as "callId", a.number as attempt, a.account_id as "accountId", a.batch_id as "batchId",
      a.gateway_id as "gatewayId", c.agent_id as "agentId", a.version_id as "versionId", a.invite as invites,
      a.outcome as status, a.reason, a.sip_status_code as "sipStatusCode", c.simulated, a.created_at as "queuedAt",
      a.due_at as "dueAt", a.claimed_at as "claimedAt", a.dial_at as "dialAt", a.dialed_at as "dialedAt",
      a.ringing_at as "ringingAt", a.answered_at as "answeredAt", a.ended_at as "endedAt", a.reported_at as "reportedAt",
      case when a.answered_at is not null then (
        select r.answered_to_speech_ms from agent_runs r
        where r.call_id = a.call_id and r.attempt = a.number and r.answered_to_speech_ms is not null
        order by r.started_at limit 1) end as "firstSoundMs",
      case when a.answered_at is not null then (
        select jsonb_agg(t.turn) from agent_runs r cross join jsonb_array_elements(r.turns) as t (turn)
        where r.call_id = a.call_id and r.attempt = a.number) end as turns,
      case when a.answered_at is not null then (
        select jsonb_agg(jsonb_build_object('gatewayId', coalesce(t.gateway_id, a.gateway_id), 'status', t.status,
          'sipStatusCode', t.sip_status_code, 'sentMs', ${instant('t.sent_at')}, 'answeredMs', ${instant('t.answered_at')},
          'endedMs', ${instant('t.ended_at')}, 'leftMs', ${instant('t.left_at')}) order by t.id)
        from call_transfers t
        where t.call_id = a.call_id and t.number = a.number and t.mode = 'warm' and t.sent_at is not null) end as targets
    from unnest(${keys.map(({ callId }) => callId)}::uuid[], ${keys.map(({ attempt }) => attempt)}::smallint[])
      as z (call_id, number)
    join call_attempts a on a.call_id = z.call_id and a.number = z.number
    join calls c on c.id = a.call_id
    where a.phase || '' = 'ended'`.execute(db);
  return rows;
}

/**
 * What the spans of these calls are made of: of those that are over and have been tried. One that is called again if its
 * analysis finds no success is not over yet.
 *
 * @param callIds bare UUIDs
 */
async function tracedCalls(db: Db, callIds: readonly string[]): Promise<TracedCall[]> {
  const { rows } = await sql<TracedCall>`
    -- prepared
    select c.id as "callId", c.account_id as "accountId", c.batch_id as "batchId", c.gateway_id as "gatewayId",
      c.agent_id as "agentId", c.type, c.status, c.reason, c.simulated, t.attempts,
      case when c.batch_id is null then c.created_at else greatest(c.created_at, t.started_at) end as "startedAt",
      coalesce(c.ended_at, c.updated_at) as "endedAt", t.again_at as "againAt"
    from unnest(${callIds}::uuid[]) as z (id)
    join calls c on c.id = z.id
    cross join lateral (
      select max(a.number)::integer as attempts, min(a.created_at) as started_at,
        max(a.created_at) filter (where a.again) as again_at
      from call_attempts a where a.call_id = c.id
    ) t
    where c.settled and c.analysis_until is null and t.attempts is not null`.execute(db);
  return rows;
}
