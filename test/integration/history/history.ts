import { sql } from 'kysely';
import { openDatabase, type Database } from '../../../db/client.js';
import type { Db } from '../../../db/client.js';
import { testDatabase } from '../../setup/database.js';
import { aTenant, type Tenant } from '../../workflow/fixtures.js';

/** A database of one tenant that has been calling for a while. One connection: what it did can be read afterwards. */
export interface HistoryTestEnv {
  readonly database: Database;
  readonly tenant: Tenant;
  close(): Promise<void>;
}

/**
 * @param finished calls, each with an attempt, that are over: half of them of batches of a thousand, half single
 */
export async function historyTestEnv(finished: number): Promise<HistoryTestEnv> {
  const own = await testDatabase();
  const database = openDatabase({ url: own.url, poolSize: 1, name: 'test' });
  await stopUpkeep(database.db);
  const tenant = await aTenant(database.db);
  await addHistory(database.db, tenant, finished);
  return {
    ...{ database, tenant },
    close: async () => {
      await database.close();
      await own.close();
    },
  };
}

/** No upkeep by itself: what it reads would be counted with what a query has read. */
const stopUpkeep = (db: Db) =>
  sql`
    do $$
    declare each regclass;
    begin
      for each in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
        execute format('alter table %s set (autovacuum_enabled = off)', each);
      end loop;
    end $$`.execute(db);

const callsPerBatch = 1_000;

async function addHistory(db: Db, tenant: Tenant, finished: number): Promise<void> {
  const { accountId, numberId, number, ruleId, gatewayId, agentId } = tenant;
  await sql`
    insert into batches (id, account_id, name, number_id, from_number, rule_id, gateway_id, agent_id, status, timing,
      timezone, starts_at, records_uploaded, calls_per_workflow, created_at, updated_at, started_at, completed_at)
    select 'batch_0' || lpad(n::text, 6, '0'), ${accountId}, 'Batch ' || n, ${numberId}, ${number}, ${ruleId}, ${gatewayId},
      ${agentId}, 'completed', 'immediate', 'UTC', t, ${callsPerBatch}, 100, t, t, t, t + interval '1 hour'
    from generate_series(1, ${Math.floor(finished / 2 / callsPerBatch)}) n,
      lateral (select clock_timestamp() - interval '90 days' + n * interval '1 hour' as t) at`.execute(db);
  await sql`
    insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, status,
      ended_as, ended_facts, ended_time, talk_seconds, ended_talk_seconds, attempts_made, created_at, updated_at, ended_at, purged_at)
    select uuidv7(t - clock_timestamp()), ${accountId}, b.id, case when b.id is null then 0 else n % ${callsPerBatch} end,
      '+1212' || lpad((n % 10000000)::text, 7, '0'), ${number}, ${ruleId}, ${gatewayId}, z.status, z.status, facts_of_end(z.status, null, null, 1::smallint, null, z.talk), t, z.talk, z.talk, 1, t, t, t, t
    from generate_series(0, ${finished - 1}) n
    cross join lateral (
      select (array['answered', 'answered', 'not-answered', 'rejected', 'failed'])[1 + n % 5] as status,
        case when n % 5 < 2 then n % 601 end::float8 as talk) z
    cross join lateral (select clock_timestamp() - interval '80 days' + n * interval '1 second' as t) at
    left join batches b on b.id = 'batch_0' || lpad((n / ${callsPerBatch} + 1)::text, 6, '0')`.execute(db);
  await sql`
    insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, position, to_number, phase, invite,
      due_at, claimed_by, claimed_at, dialed_at, ended_at, outcome, reported_at)
    select id, 1, account_id, batch_id, gateway_id, position, to_number, 'ended', 1, created_at,
      '00000000-0000-0000-0000-000000000001', created_at, created_at, ended_at, 'answered', ended_at
    from calls where status <> 'pending'`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

/** Blocks of these tables and of their indexes that `work` has read, from memory or disk. */
export async function blocksRead(database: Database, tables: readonly string[], work: () => Promise<unknown>) {
  const before = await blocksSoFar(database.db, tables);
  await work();
  return (await blocksSoFar(database.db, tables)) - before;
}

async function blocksSoFar(db: Db, tables: readonly string[]): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ blocks: number }>`
    select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0))::float8 as blocks
    from pg_statio_user_tables where relname = any (${[...tables]}::text[])`.execute(db);
  return rows[0]?.blocks ?? NaN;
}

/** Blocks that a table takes, to compare with. */
export async function sizeInBlocks(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ blocks: number }>`
    select (pg_relation_size(${table}::regclass) / 8192)::float8 as blocks`.execute(db);
  return rows[0]?.blocks ?? NaN;
}
