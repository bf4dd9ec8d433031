import { sql } from 'kysely';
import { answerHoldsSeconds } from '../../../domain/batch/pre-dial.js';
import { firstAddedPosition, mostCallsPerWorkflow } from '../../../domain/batch/fan-out.js';
import type { Db } from '../../client.js';
import type { AuditScope, Violation } from './invariants.js';
import { ofAccount, inSnapshot, violationsOf } from './snapshot.js';

/** Takeovers follow within seconds of a lease's end. */
const orphanedSeconds = 120;
const unreportedSeconds = 300;
/** The list is taken in, and its gates waited for, within this. */
const listedSeconds = 60;
/** Calls that are due and not queued for this long stand still: the watchdog looks every 30 s. */
const stillSeconds = 300;
const mostNamed = 1_000;
/** More cases of one kind are not looked for: what is wrong so often is wrong everywhere. */
const mostCases = 10_000;
const numbersAtOnce = 5_000;

/** Live attempts: few rows, found by the indexes of the dialer. */
export const auditLive = (db: Db, scope: AuditScope): Promise<Violation[]> =>
  violationsOf(
    db,
    sql<Violation>`
      with live as materialized (
        select a.call_id, a.number, a.account_id, a.to_number, a.claimed_by, a.phase, a.batch_id, a.dialed_at from call_attempts a
        where a.phase in ('claimed', 'dialing', 'ringing', 'answered') and ${ofAccount(scope, 'a')}
      )
      select 'live-twice' as invariant, l.to_number as id,
        'is in ' || count(*) || ' live attempts: ' || string_agg('call_' || l.call_id, ', ' order by l.call_id) as details
      from live l where l.to_number <> 'erased'
      group by l.account_id, l.to_number having count(*) > 1
      union all
      select 'orphaned-legs', 'call_' || l.call_id, 'attempt ' || l.number || ' is ' || l.phase || ', and its dialer is gone'
      from live l left join dialer_processes p on p.id = l.claimed_by
      where p.id is null or p.lease_until < clock_timestamp() - make_interval(secs => ${orphanedSeconds})
      union all
      select 'pre-dial', 'call_' || l.call_id, 'attempt ' || l.number || ' is ' || l.phase || ', and the endpoint has not cleared it'
      from live l join batches b on b.id = l.batch_id and b.pre_dial is not null
      where l.phase <> 'claimed' and l.dialed_at > clock_timestamp() - make_interval(secs => ${answerHoldsSeconds})
        and not exists (
          select 1 from pre_dial_answers w
          where w.call_id = l.call_id and w.number = l.number and w.cleared and w.holds_until > l.dialed_at)
        -- A change of the endpoint forgets what the one before has said.
        and not exists (
          select 1 from audit_log g
          where g.account_id = l.account_id and g.target = b.id and g.action = 'batch-call.update'
            and g.details -> 'fields' ? 'preDial' and g.at > l.dialed_at - make_interval(secs => ${answerHoldsSeconds}))`,
  );

/** Ends that no workflow has heard of. */
export const auditReports = (db: Db, scope: AuditScope): Promise<Violation[]> =>
  violationsOf(
    db,
    sql<Violation>`
      select 'unreported-attempts' as invariant, 'call_' || a.call_id as id,
        'attempt ' || a.number || ' ended at ' || to_char(a.ended_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"') as details
      from call_attempts a
      where a.phase = 'ended' and a.reported_at is null and ${ofAccount(scope, 'a')}
        and a.ended_at < clock_timestamp() - make_interval(secs => ${unreportedSeconds})
      order by a.ended_at limit ${mostCases}`,
  );

export interface ListedPage {
  readonly violations: readonly Violation[];
  readonly after: readonly [accountId: string, e164: string] | null;
}

/** A page of the do-not-call lists, by their key: what was dialed to its numbers since they were put on it. */
export async function auditDoNotCall(db: Db, scope: AuditScope, after: ListedPage['after']): Promise<ListedPage> {
  const { since } = scope;
  return inSnapshot(db, async (tx) => {
    const { rows: page } = await sql<{ account: string; e164: string; createdAt: Date }>`
      select n.account_id as account, n.e164, n.created_at as "createdAt" from do_not_call n
      where ${ofAccount(scope, 'n')}
        and ${after === null ? sql`true` : sql`(n.account_id, n.e164) > (${after[0]}, ${after[1]})`}
      order by n.account_id, n.e164 limit ${numbersAtOnce}`.execute(tx);
    const { rows: violations } = await sql<Violation>`
      select 'do-not-call' as invariant, 'call_' || a.call_id as id, n.e164 || ' was dialed at '
        || to_char(a.dialed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"') || ' (attempt ' || a.number || ')' as details
      from unnest(${page.map(({ account }) => account)}::text[], ${page.map(({ e164 }) => e164)}::text[],
        ${page.map(({ createdAt }) => createdAt)}::timestamptz[]) as n (account_id, e164, created_at)
      join calls c on c.account_id = n.account_id and c.to_number = n.e164
      join call_attempts a on a.call_id = c.id
      where a.phase not in ('queued', 'claimed')
        and a.dialed_at > n.created_at + make_interval(secs => ${listedSeconds})
        and ${since === null ? sql`true` : sql`a.dialed_at >= ${since}`}`.execute(tx);
    const last = page.at(-1);
    return { violations, after: last === undefined || page.length < numbersAtOnce ? null : [last.account, last.e164] };
  });
}

/** Calls that are due and that nothing in the database moves on: some workflow must. */
export interface StandingCalls {
  /** null: a single call. */
  readonly batchId: string | null;
  readonly callId: string;
  readonly position: number;
  readonly callsPerWorkflow: number | null;
  /** Calls of the same workflow that stand still with it. */
  readonly calls: number;
}

/** Of each workflow that carries calls which are neither queued, live nor to come: the first of them. */
export async function standingCalls(db: Db, scope: AuditScope): Promise<StandingCalls[]> {
  const { rows } = await inSnapshot(db, (tx) =>
    sql<StandingCalls>`
      (select b.id as "batchId", (array_agg(c.id order by c.position))[1] as "callId", min(c.position) as position,
        b.calls_per_workflow as "callsPerWorkflow", count(*)::integer as calls
      from batches b
      join calls c on c.batch_id = b.id and not c.settled
      where b.status in ('running', 'cancelling') and ${ofAccount(scope, 'b')}
        and coalesce(c.next_attempt_at, case when c.position < ${sql.lit(firstAddedPosition)} then b.started_at
          else greatest(b.started_at, c.created_at) end) < clock_timestamp() - make_interval(secs => ${stillSeconds})
        and not exists (select 1 from call_attempts a where a.call_id = c.id and a.phase <> 'ended' offset 0)
      group by b.id, case when c.position < ${sql.lit(firstAddedPosition)} then c.position / coalesce(b.calls_per_workflow, 1)
        else ${sql.lit(firstAddedPosition)} + (c.position - ${sql.lit(firstAddedPosition)}) / ${sql.lit(mostCallsPerWorkflow)} end limit ${mostCases})
      union all
      (select null, c.id, 0, null, 1 from calls c
      where c.batch_id is null and not c.settled and c.type = 'outbound' and ${ofAccount(scope, 'c')}
        and c.created_at < clock_timestamp() - make_interval(secs => ${stillSeconds})
        and coalesce(c.next_attempt_at, c.created_at) < clock_timestamp() - make_interval(secs => ${stillSeconds})
        and not exists (select 1 from call_attempts a where a.call_id = c.id and a.phase <> 'ended' offset 0)
      order by c.id limit ${mostNamed})`.execute(tx),
  );
  return rows;
}

export interface UnfinishedBatch {
  readonly id: string;
  readonly status: string;
}

/** Batches that some workflow must be at. */
export async function batchesAtWork(db: Db, scope: AuditScope): Promise<UnfinishedBatch[]> {
  const { rows } = await inSnapshot(db, (tx) =>
    sql<UnfinishedBatch>`
      select b.id, b.status from batches b
      where b.status not in ('parse_failed', 'cancelled', 'completed') and ${ofAccount(scope, 'b')}
        and b.created_at < clock_timestamp() - make_interval(secs => ${stillSeconds})
      order by b.id`.execute(tx),
  );
  return rows;
}
