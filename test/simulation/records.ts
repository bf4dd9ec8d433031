import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/client.js';
import type { AnsweredKey } from './answers.js';
import { refText, type CarrierLeg } from './carrier.js';
import { costOfCall } from './setting.js';

/** What the database must say at any moment. @returns what is wrong, in words */
export async function wrongNow(db: Db): Promise<string[]> {
  return [
    ...(await wordsOf(db, badCounters)),
    ...(await wordsOf(db, takenFromTheLiving)),
    ...(await wordsOf(db, rewritten)),
    ...(await wordsOf(db, probes)),
    ...(await wordsOf(db, stops)),
  ];
}

/** What it must say when nothing is left to do. */
export async function wrongAtEnd(
  db: Db,
  legs: readonly CarrierLeg[],
  wasCalledAgain: (callId: string) => boolean,
): Promise<string[]> {
  return [...(await wordsOf(db, leftOver)), ...(await comparedWith(db, legs, wasCalledAgain))];
}

/** Of attempts that have just passed the gate, those that are held under another claim. */
export async function passedUnderVoidClaims(db: Db, passed: readonly AnsweredKey[]): Promise<string[]> {
  return wordsOf(
    db,
    sql`
      select 'attempt ' || a.call_id || '/' || a.number || ' passed the gate under a claim that is void' as words
      from unnest(${passed.map(({ callId }) => callId)}::uuid[], ${passed.map(({ attempt }) => attempt)}::smallint[],
        ${passed.map(({ claimId }) => claimId)}::uuid[]) as z (call_id, number, claim_id)
      join call_attempts a on a.call_id = z.call_id and a.number = z.number and a.claim_id is distinct from z.claim_id`,
  );
}

/** Calls of which the carrier has a live leg, and which the records do not show as being made: they might be made again. */
export async function notShownAsLive(db: Db, legs: readonly CarrierLeg[]): Promise<string[]> {
  const live = legs.filter((leg) => leg.endedMs === null);
  if (live.length === 0) return [];
  const { rows } = await sql<{ id: string; status: string; attempt: number | null; invite: number | null }>`
    select c.id, c.status, a.number as attempt, a.invite from calls c
    left join call_attempts a on a.call_id = c.id and a.phase in ('dialing', 'ringing', 'answered')
    where c.id = any (${live.map(({ ref }) => ref.callId)}::uuid[])`.execute(db);
  return live.flatMap(({ ref }) => {
    const row = rows.find(({ id }) => id === ref.callId);
    const shown = row?.status === 'dialing' || row?.status === 'in-progress';
    if (shown && row.attempt === ref.attempt && row.invite === ref.invite) return [];
    return [
      `leg ${refText(ref)} is live, and its call is ${row?.status ?? 'gone'} at ${row?.attempt ?? '-'}/${row?.invite ?? '-'}`,
    ];
  });
}

/** What a query finds wrong. */
export async function wordsOf(db: Db, query: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ words: string }>`${query}`.execute(db);
  return rows.map(({ words }) => words);
}

/** What the carrier saw is what the records say. */
async function comparedWith(
  db: Db,
  legs: readonly CarrierLeg[],
  wasCalledAgain: (callId: string) => boolean,
): Promise<string[]> {
  const wrong: string[] = [];
  const records = await db.selectFrom('calls').select(['id', 'status', 'reason', 'attempts_made']).execute();
  for (const { id, status, reason, attempts_made: made } of records) {
    const own = legs.filter((leg) => leg.ref.callId === id);
    // A recipient that is called again has the status of the latest attempt, or of an order that came before it.
    const again = wasCalledAgain(id);
    const answered = (again ? own.slice(-1) : own).some((leg) => leg.answeredMs !== null);
    if (answered !== (status === 'answered') && !(again && status !== 'answered')) {
      wrong.push(
        `call ${id} is ${status} (${reason ?? 'no reason'}), the carrier says ${answered ? '' : 'not '}answered`,
      );
    }
    const taken = new Set(own.filter((leg) => !leg.free).map((leg) => leg.ref.attempt)).size;
    if (taken > made) wrong.push(`call ${id} has made ${made} attempts, the carrier took ${taken}`);
    if (own.length === 0 && ['rejected', 'not-answered', 'missed'].includes(status)) {
      wrong.push(`call ${id} is ${status}, and the carrier never heard of it`);
    }
  }
  return wrong;
}

const badCounters = sql`
  select 'counters of ' || k.batch_id || ' are not the counts of its calls' as words
  from batch_counters k cross join lateral (
    select count(*) filter (where c.status = 'pending') as pending,
      count(*) filter (where c.status = 'dialing') as dialing,
      count(*) filter (where c.status = 'in-progress') as in_progress,
      count(*) filter (where c.status = 'retrying') as retrying,
      count(*) filter (where c.status = 'answered') as answered, count(*) filter (where c.status = 'failed') as failed,
      count(*) filter (where c.status = 'not-answered') as not_answered,
      count(*) filter (where c.status = 'rejected') as rejected, count(*) filter (where c.status = 'missed') as missed,
      count(*) filter (where c.status = 'abandoned') as abandoned,
      count(*) filter (where c.status = 'cancelled') as cancelled, coalesce(sum(c.attempts_made), 0) as attempts
    from calls c where c.batch_id = k.batch_id) n
  where (k.pending, k.dialing, k.in_progress, k.retrying, k.answered, k.failed, k.not_answered, k.rejected, k.missed,
      k.abandoned, k.cancelled, k.attempts)
    is distinct from (n.pending, n.dialing, n.in_progress, n.retrying, n.answered, n.failed, n.not_answered, n.rejected,
      n.missed, n.abandoned, n.cancelled, n.attempts)`;

/** Written down by a trigger of the stage (stage.ts). */
const takenFromTheLiving = sql`
  select 'attempt ' || call_id || '/' || number || ' was taken from a dialer whose lease runs' as words from virtual.taken`;

/** Written down by a trigger of the stage, too. */
const rewritten = sql`select 'call ' || call_id || ': ' || words as words from virtual.rewritten`;

/** A suspended gateway is tried with one call at a time, whatever goes on since before the trouble. */
const probes = sql`
  select 'gateway ' || w.gateway_id || ' is suspended and tried with ' || count(*) || ' calls at once' as words
  from gateway_admission w
  join call_attempts a on a.gateway_id = w.gateway_id and a.dialed_at >= w.suspended_since
    and a.phase in ('dialing', 'ringing', 'answered')
  where w.suspended_since is not null
  group by w.gateway_id having count(*) > 1`;

/** Of a batch `b`, those that were answered and are over, by the instant of their answer alone. */
const callsThatCost = sql`
  select count(*) as calls from call_attempts a where a.batch_id = b.id and a.phase = 'ended' and a.answered_at is not null`;

/** What a batch that stops by itself must be at any moment. */
const stops = sql`
  select 'attempt ' || a.call_id || '/' || a.number || ' was dialed after ' || b.id || ' had stopped' as words
  from batches b join call_attempts a on a.batch_id = b.id and a.phase not in ('queued', 'claimed') and a.dialed_at > b.stopped_at
  where b.stopped_by is not null
  union all
  select b.id || ' runs with ' || k.answered || ' answers, and stops after ' || b.stop_after_answered
  from batches b join batch_counters k on k.batch_id = b.id
  where b.status = 'running' and k.answered >= b.stop_after_answered
  union all
  select b.id || ' stopped by its answers with ' || k.answered || ' of ' || b.stop_after_answered
  from batches b join batch_counters k on k.batch_id = b.id
  where b.stopped_by = 'answered' and k.answered < b.stop_after_answered
  union all
  select b.id || ' runs with ' || s.successes || ' successes, and stops after ' || b.stop_after_success
  from batches b cross join lateral (select count(*) as successes from calls c where c.batch_id = b.id and c.success) s
  where b.status = 'running' and s.successes >= b.stop_after_success
  union all
  select b.id || ' stopped by its successes with ' || s.successes || ' of ' || b.stop_after_success
  from batches b cross join lateral (select count(*) as successes from calls c where c.batch_id = b.id and c.success) s
  where b.stopped_by = 'success' and s.successes < b.stop_after_success
  union all
  select b.id || ' runs at a cost of ' || s.calls || ' calls, and stops at that of ' || b.max_cost / ${costOfCall}::bigint
  from batches b cross join lateral (${callsThatCost}) s
  where b.status = 'running' and s.calls * ${costOfCall}::bigint >= b.max_cost
  union all
  select b.id || ' stopped by its cost at that of ' || s.calls || ' of ' || b.max_cost / ${costOfCall}::bigint || ' calls'
  from batches b cross join lateral (${callsThatCost}) s
  where b.stopped_by = 'maxCost' and s.calls * ${costOfCall}::bigint < b.max_cost
  union all
  select b.id || ' was stopped by ' || b.stopped_by || ' and is ' || b.status
  from batches b where b.stopped_by is not null and b.status not in ('cancelling', 'completed')
  union all
  select 'call ' || c.id || ' was dropped as ' || c.reason || ', and ' || b.id || ' was not stopped so'
  from batches b join calls c on c.batch_id = b.id
  where c.reason like 'stopped\\_%' and c.reason is distinct from case b.stopped_by
    when 'until' then 'stopped_at_until' when 'maxCost' then 'stopped_at_max_cost' else 'stopped_after_' || b.stopped_by end`;

const leftOver = sql`
  select 'call ' || id || ' is ' || status || ', and nothing is left to do' as words from calls where not settled
  union all
  select 'attempt ' || call_id || '/' || number || ' is ' || phase from call_attempts where phase <> 'ended'
  union all
  select id || ' is ' || status from batches where status not in ('completed', 'cancelled')
  union all
  select b.id || ' has told of its end ' || count(d.id) || ' times' from batches b
    left join webhook_deliveries d on d.batch_id = b.id and d.event = 'batchcall-completed'
    group by b.id having count(d.id) <> 1
  union all
  select 'attempt ' || call_id || '/' || number || ' was not told to its workflow' from call_attempts
    where phase = 'ended' and reported_at is null`;
