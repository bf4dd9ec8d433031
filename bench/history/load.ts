import { sql } from 'kysely';
import type { Database, Db } from '../../db/client.js';
import type { Line, Tenant } from './tenants.js';

/** Calls that lie together in time and have one line: a batch, or single calls that went out or came in. */
export const callsPerChunk = 2_500;
const callsAtOnce = 500_000;
/** The history ends a day ago and is this long. */
const days = 700;

/** Kind of a chunk: of forty, three hold single calls and one calls that came in. */
const kindOf = (chunk: number): 'batch' | 'single' | 'inbound' =>
  chunk % 40 === 7 ? 'inbound' : [1, 18, 31].includes(chunk % 40) ? 'single' : 'batch';

/**
 * Whose line a chunk is on: four fifths of the calls are the first account's, a hundredth is the last one's. Line 0 of each
 * account has been used for its first chunk only, line 1 (with its own room) for single calls.
 */
function lineOf(tenants: readonly Tenant[], chunk: number, seen: Set<number>): Line {
  const place = chunk % 100 < 80 ? 0 : chunk % 100 < 99 ? 1 : 2;
  const lines = tenants[place]?.lines ?? [];
  const isFirst = !seen.has(place) && kindOf(chunk) === 'batch';
  if (isFirst) seen.add(place);
  const index = isFirst ? 0 : kindOf(chunk) === 'single' ? 1 : 2 + (chunk % (lines.length - 2));
  const line = lines[index];
  if (line === undefined) throw new Error('An account of the benchmark has lines.');
  return line;
}

/**
 * Fills an empty database with calls that are over, each with one or two attempts: of batches of 2,500, single ones and ones
 * that came in, over two years, with their webhook deliveries, audit log, rejected rows and do-not-call list. Indexes that are
 * no constraints are made afterwards, and the tables are as a vacuum leaves them.
 */
export async function loadHistory(
  database: Database,
  tenants: readonly Tenant[],
  calls: number,
  say: (line: string) => void,
): Promise<void> {
  const { db } = database;
  const chunks = Math.ceil(calls / callsPerChunk);
  await db.connection().execute(async (connection) => {
    await sql`set maintenance_work_mem = '1GB'`.execute(connection);
    await insertChunks(connection, tenants, chunks);
    await insertBatches(connection);
    const indexes = await plainIndexes(connection);
    await sql`begin`.execute(connection);
    // What comes after a truncate in the same transaction is not written to the log of a server with wal_level = minimal.
    await sql`truncate calls, call_attempts cascade`.execute(connection);
    for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(connection);
    await sql`set local session_replication_role = replica`.execute(connection);
    for (let from = 0; from < calls; from += callsAtOnce) {
      await insertCalls(connection, from, Math.min(calls, from + callsAtOnce));
      say(`${Math.min(calls, from + callsAtOnce)} of ${calls} calls are written.`);
    }
    await sql`commit`.execute(connection);
    for (const { name, definition } of indexes) {
      await sql.raw(definition).execute(connection);
      say(`${name} is made.`);
    }
    await insertTheRest(connection, calls);
    await sql`vacuum (freeze, analyze)`.execute(connection);
    await sql`checkpoint`.execute(connection);
  });
}

async function insertChunks(db: Db, tenants: readonly Tenant[], chunks: number): Promise<void> {
  await sql`
    create temp table chunks (chunk integer primary key, kind text, batch_id text, account_id text, gateway_id text,
      rule_id text, number_id text, from_number text, agent_id text, room text, at timestamptz, step interval)`.execute(
    db,
  );
  const seen = new Set<number>();
  const rows = Array.from({ length: chunks }, (_, chunk) => {
    const line = lineOf(tenants, chunk, seen);
    return { chunk, kind: kindOf(chunk), ...line };
  });
  await sql`
    insert into chunks
    select z.chunk, z.kind, case when z.kind = 'batch' then 'batch_' || uuidv7(z.at - statement_timestamp()) end,
      z."accountId", z."gatewayId", z."ruleId", z."numberId", z.number, z."agentId", z.room, z.at, z.step
    from (
      select z.*, statement_timestamp() - interval '1 day' - make_interval(days => ${days}) * (1 - z.chunk::float8 / ${chunks}) as at,
        make_interval(days => ${days}) / ${chunks} / ${callsPerChunk} as step
      from json_to_recordset(${JSON.stringify(rows)}::json) as z (chunk integer, kind text, "accountId" text,
        "gatewayId" text, "ruleId" text, "numberId" text, number text, "agentId" text, room text)
    ) z order by z.chunk`.execute(db);
  await sql`analyze chunks`.execute(db);
}

async function insertBatches(db: Db): Promise<void> {
  await sql`
    insert into batches (id, account_id, name, number_id, from_number, rule_id, gateway_id, agent_id, status, timing,
      timezone, starts_at, records_uploaded, calls_per_workflow, webhook_endpoint, webhook_events, created_at, updated_at,
      started_at, completed_at)
    select batch_id, account_id, 'Batch ' || chunk, number_id, from_number, rule_id, gateway_id, agent_id, 'completed',
      'immediate', 'UTC', at, ${callsPerChunk}, 100, 'https://example.com/hook', '{batchcall-started,batchcall-completed}',
      at, at + interval '1 hour', at, at + interval '1 hour'
    from chunks where kind = 'batch'`.execute(db);
}

async function plainIndexes(db: Db): Promise<{ name: string; definition: string }[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    where i.indrelid in ('calls'::regclass, 'call_attempts'::regclass)
      and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)
    order by 1`.execute(db);
  return rows;
}

/** Of a thousand calls so many end in each way; one in a thousand was cancelled. */
const statusOf = sql`case when h < 550 then 'answered' when h < 800 then 'not-answered' when h < 880 then 'rejected'
  when h < 940 then 'missed' when h < 980 then 'failed' when h < 999 then 'abandoned' else 'cancelled' end`;

/** Seconds of the answered; one in ten thousand talked for more than an hour. */
const talkOf = sql`case when h >= 550 then null when n % 9973 = 0 then 4000 else 5 + n % 600 end::float8`;

async function insertCalls(db: Db, from: number, until: number): Promise<void> {
  await sql`
    with made as (
      insert into calls (id, account_id, batch_id, position, type, to_number, from_number, rule_id, gateway_id, agent_id,
        region, room_id, ended_room, options, metadata, status, ended_as, attempts_made, last_outcome, sip_status_code, answered_by, talk_seconds,
        created_at, updated_at, answered_at, ended_at, ended_facts, ended_time, ended_talk_seconds)
      select id, account_id, batch_id, case when kind = 'batch' then (n % ${callsPerChunk})::integer else 0 end,
        case kind when 'inbound' then 'inbound' else 'outbound' end,
        case kind when 'inbound' then from_number else callee end, case kind when 'inbound' then callee else from_number end,
        rule_id, gateway_id, agent_id, 'default', coalesce(shared_room, 'call_' || id || '_1_1'), shared_room,
        case when kind = 'single' and n % 50 = 0 then '{"destinationRoomId":"lobby"}'::jsonb end,
        case when kind = 'batch' then ('{"name":"Asha ' || n % 5000 || '","city":"Chennai"}')::json else '{}' end,
        ${statusOf}, ${statusOf}, 1 + (n % 4 = 0)::integer, case when h < 550 then 'answered' else 'failed' end, 200, 'human', ${talkOf},
        created, created + interval '10 minutes', created, created + interval '10 minutes',
        case when kind = 'batch' then facts_of_end(${statusOf}, null, 200, (1 + (n % 4 = 0)::integer)::smallint, 'human', ${talkOf}) end,
        created + interval '10 minutes', ${talkOf}
      from (
        select n, (n * 7919) % 1000 as h, '+1' || (2120000000 + (n * 7) % 9999991) as callee, k.*,
          case when k.kind = 'single' and n % 50 = 0 then 'lobby' else k.room end as shared_room,
          case when k.kind = 'batch' then k.at else k.at + k.step * (n % ${callsPerChunk}) end as created
        from generate_series(${from}::bigint, ${until - 1}::bigint) n
        join chunks k on k.chunk = n / ${callsPerChunk}
      ) x cross join lateral (select uuidv7(created - statement_timestamp()) as id) z
      returning id, account_id, batch_id, gateway_id, position, to_number, created_at, ended_at, status, attempts_made
    )
    insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, position, to_number, phase, invite, due_at,
      claimed_by, claimed_at, dial_at, dialed_at, room, ended_at, outcome, sip_status_code, reason, next_attempt_at,
      reported_at, created_at)
    select m.id, z.number, m.account_id, m.batch_id, m.gateway_id, m.position, m.to_number, 'ended', 1, m.created_at,
      '00000000-0000-0000-0000-000000000001', m.created_at, m.created_at, m.created_at, 'call_' || m.id || '_1_1',
      case when z.number = m.attempts_made then m.ended_at else m.created_at end,
      case when z.number < m.attempts_made then 'not-answered' when m.status = 'cancelled' then 'abandoned' else m.status end,
      200, 'completed', case when z.number < m.attempts_made then m.created_at end, m.ended_at, m.created_at
    from made m cross join lateral (select generate_series(1, m.attempts_made)::smallint as number) z`.execute(db);
}

/** What else years leave behind, and what triggers would have counted. */
async function insertTheRest(db: Db, calls: number): Promise<void> {
  await sql`
    insert into batch_counters (batch_id, answered, failed, not_answered, rejected, missed, abandoned, cancelled, attempts, talk_seconds)
    select batch_id, count(*) filter (where status = 'answered'), count(*) filter (where status = 'failed'),
      count(*) filter (where status = 'not-answered'), count(*) filter (where status = 'rejected'),
      count(*) filter (where status = 'missed'), count(*) filter (where status = 'abandoned'),
      count(*) filter (where status = 'cancelled'), sum(attempts_made), sum(talk_seconds)
    from calls where batch_id is not null group by batch_id`.execute(db);
  await sql`
    insert into call_totals (account_id, slot, calls)
    select account_id, 0, count(*) from calls where batch_id is null group by account_id
    on conflict (account_id, slot) do update set calls = call_totals.calls + excluded.calls`.execute(db);
  await sql`
    insert into webhook_deliveries (id, account_id, batch_id, event, endpoint, payload, status, created_at, delivered_at)
    select 'whd_' || uuidv7(), account_id, batch_id, event, 'https://example.com/hook', repeat('x', 300), 'delivered', at, at
    from chunks cross join (values ('batchcall-started'), ('batchcall-completed')) as e (event)
    where kind = 'batch'`.execute(db);
  await sql`
    insert into webhook_deliveries (id, account_id, call_id, event, endpoint, payload, status, created_at, delivered_at)
    select 'whd_' || uuidv7(), account_id, id, 'call-summary', 'https://example.com/hook', repeat('x', 300), 'delivered',
      created_at, created_at
    from calls tablesample bernoulli (5)`.execute(db);
  // A third of the answered.
  await sql`
    insert into recordings (call_id, account_id, attempt, started_at, call_created_at)
    select id, account_id, 1, created_at, created_at from calls
    where status = 'answered' and abs(hashtext(id::text)) % 3 = 0`.execute(db);
  await sql`
    insert into audit_log (account_id, action, target, details, at)
    select k.account_id, 'batch-call.create', coalesce(k.batch_id, 'call'), '{}', k.at
    from chunks k cross join generate_series(1, 20) order by k.chunk`.execute(db);
  await sql`
    insert into rejected_rows (batch_id, row, account_id, value, reason, message)
    select batch_id, row, account_id, '12', 'invalid_number', 'The number is too short.'
    from chunks cross join generate_series(2, 21) row where kind = 'batch'`.execute(db);
  await sql`
    insert into do_not_call (account_id, e164, created_at)
    select account_id, '+4420' || lpad(n::text, 8, '0'), at
    from chunks cross join lateral (select chunk * 10 + generate_series(0, 9) as n) z`.execute(db);
  await sql`insert into usage_days (account_id, day, backend, calls, attempts, answered, talk_seconds)
    select account_id, at::date, 1, count(*) * ${callsPerChunk}, count(*) * ${callsPerChunk}, 0, ${calls}
    from chunks group by account_id, at::date`.execute(db);
}
