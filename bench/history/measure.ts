import { sql } from 'kysely';
import { audit } from '../../cli/audit/run.js';
import { type Database, openDatabase } from '../../db/client.js';
import { migrate } from '../../db/migrate.js';
import type { Result } from '../result.js';
import { type ScratchDatabase, scratchDatabase } from '../scratch-database.js';
import { compare, type Side } from './alternate.js';
import { measureDialing } from './dialing.js';
import { listProbes } from './lists.js';
import { loadHistory } from './load.js';
import { loopProbes } from './loops.js';
import { measureHeldSnapshot } from './snapshot.js';
import { insertTenant, planTenants, type Tenant } from './tenants.js';

type Say = (line: string) => void;

/** So much history has the database that counts as empty: enough for every list to have a page. */
const callsOfEmpty = 100_000;

export interface HistoryOptions {
  readonly calls: number;
  readonly rounds: number;
  /** How long a snapshot is held beside dialing. */
  readonly heldSeconds: number;
  /** Folder that the databases stay in, so that the next run need not fill them again; omitted: none. */
  readonly data?: string | undefined;
  /** Whether loops and lists are compared, and whether `outdial audit` is timed. */
  readonly history: boolean;
  readonly audit: boolean;
}

/**
 * What years of calls do to every loop and every list: each asked of two databases on one server in turn, of which one has
 * this many finished calls and the other a hundred thousand.
 *
 * @param take called with each figure as it comes
 */
export async function measureHistory(
  { calls, rounds, heldSeconds, data, history, audit: withAudit }: HistoryOptions,
  take: (results: readonly Result[]) => void,
  say: Say,
): Promise<void> {
  const scratch = await scratchDatabase(data);
  const small = scratch.database;
  const large = await secondDatabase(scratch);
  try {
    const tenants = await planOnce(small);
    const [tenant, , smallest] = tenants;
    const line = tenant?.lines[3];
    if (tenant === undefined || smallest === undefined || line === undefined)
      throw new Error('There are three accounts.');
    await fill(small, tenants, callsOfEmpty, say);
    await fill(large, tenants, calls, say);
    take([await sizeOf(large, calls)]);
    const sides = { small: await sideOf(small, tenant), large: await sideOf(large, tenant) };
    // Nothing has been dialed yet: what is audited is what was loaded.
    if (withAudit) take(await timeAudit(large));
    if (!history) return;
    take(await measureDialing(sides, line, rounds));
    for (const probe of [...loopProbes(tenant), ...listProbes(tenant, smallest)]) {
      take([await compare(probe, sides, rounds)]);
    }
    say(`Dialing for ${heldSeconds} s beside a held snapshot.`);
    take(await measureHeldSnapshot(large.db, line, heldSeconds));
  } finally {
    await large.close();
    await scratch.stop();
  }
}

async function secondDatabase({ database: { db }, url }: ScratchDatabase): Promise<Database> {
  const { rows } = await sql`select 1 from pg_database where datname = 'years'`.execute(db);
  if (rows.length === 0) await sql`create database years`.execute(db);
  const large = openDatabase({ url: url.replace(/\/[^/]*$/, '/years'), poolSize: 4, name: 'bench' });
  await migrate(large.pool);
  return large;
}

/** The accounts are the same in both databases, and in every run on them. */
async function planOnce({ db }: Database): Promise<readonly Tenant[]> {
  await sql`create table if not exists bench_plan (tenants json)`.execute(db);
  const { rows } = await sql<{ tenants: readonly Tenant[] }>`select tenants from bench_plan`.execute(db);
  if (rows[0] !== undefined) return rows[0].tenants;
  const tenants = planTenants();
  await sql`insert into bench_plan values (${JSON.stringify(tenants)})`.execute(db);
  return tenants;
}

async function fill(database: Database, tenants: readonly Tenant[], calls: number, say: Say): Promise<void> {
  const { rows } = await sql`select 1 from calls limit 1`.execute(database.db);
  if (rows.length > 0) return;
  for (const each of tenants) await insertTenant(database.db, each);
  const startedMs = performance.now();
  await loadHistory(database, tenants, calls, say);
  say(`${calls} calls were loaded in ${Math.round((performance.now() - startedMs) / 1000)} s.`);
}

/** The rows that a side is asked about: from the middle of the history of the largest account. */
async function sideOf({ db }: Database, { accountId }: Tenant): Promise<Side> {
  const { rows } = await sql<{ batchId: string; callId: string; callee: string }>`
    select b.id as "batchId", c.id as "callId", c.to_number as callee
    from (
      select id from batches where account_id = ${accountId} order by created_at
      offset (select count(*) / 2 from batches where account_id = ${accountId}) limit 1
    ) b join calls c on c.batch_id = b.id and c.position = 100`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error('The history of the benchmark has no batch.');
  return { db, ...found };
}

async function sizeOf({ db }: Database, calls: number): Promise<Result> {
  const { rows } = await sql<{ calls: number; attempts: number; indexes: number }>`
    select pg_total_relation_size('calls')::float8 as calls, pg_total_relation_size('call_attempts')::float8 as attempts,
      (pg_indexes_size('calls') + pg_indexes_size('call_attempts'))::float8 as indexes`.execute(db);
  const size = rows[0] ?? { calls: NaN, attempts: NaN, indexes: NaN };
  return {
    name: 'history: size',
    value: (size.calls + size.attempts) / calls,
    unit: 'bytes/call',
    note:
      `${calls} calls ${(size.calls / 1e9).toFixed(1)} GB, their attempts ${(size.attempts / 1e9).toFixed(1)} GB, ` +
      `of which indexes ${(size.indexes / 1e9).toFixed(1)} GB`,
  };
}

async function timeAudit({ db }: Database): Promise<readonly Result[]> {
  const startedMs = performance.now();
  let mostMb = 0;
  const watch = setInterval(() => (mostMb = Math.max(mostMb, process.memoryUsage().rss / 2 ** 20)), 250);
  const report = await audit(db, { accountId: null, since: null }, { deliveriesSince: null, isRunning: null });
  clearInterval(watch);
  const minutes = (performance.now() - startedMs) / 60_000;
  const note = `${report.calls} calls and ${report.batches} batches, ${report.clean ? 'clean' : 'with violations'}`;
  return [
    { name: 'audit', value: minutes, unit: 'min', note },
    {
      name: 'audit, ten million calls',
      value: (minutes * 1e7) / report.calls,
      unit: 'min',
      note: 'the same, by the call',
    },
    { name: 'audit, memory of the process', value: mostMb, unit: 'MiB', note: 'peak resident, the benchmark with it' },
  ];
}
