import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, schemaIsCurrent } from '../../../db/migrate.js';
import { type Database, openDatabase } from '../../../db/client.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { foldFigures } from '../../../db/queries/dialer/fold-figures.js';
import { figuresOfAccount, figuresOfBatch } from '../../../db/queries/figures/figures.js';
import { timelineOf } from '../../../db/queries/figures/timeline.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { lockWaits } from '../../setup/lock-waits.js';
import { aTenant } from '../../workflow/fixtures.js';
import { endAttempts, moveTo, queuedAttempts } from '../../workflow/play-dialer.js';
import { timelineIsTrue } from '../orchestration/counted-timeline.js';
import { aRunningBatch } from '../orchestration/running-batch.js';

const step = '0014-indexes-of-sweeps.sql';

let own: TestDatabase;
let database: Database;
beforeEach(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 6, name: 'test' });
});
afterEach(async () => {
  await database.close();
  await own.close();
});

const validIndexes = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index
     where indisvalid and indexrelid::regclass::text in ('calls_single_by_age', 'webhook_deliveries_pending') order by 1`,
  );
  return rows.map(({ name }) => name);
};

/** As if the step had been cut off: one index missing, the other half built. */
async function undoStep(): Promise<void> {
  await database.pool.query(`drop index webhook_deliveries_pending`);
  await database.pool.query(
    `update pg_index set indisvalid = false where indexrelid = 'calls_single_by_age'::regclass`,
  );
  await database.pool.query(`delete from schema_migrations where name = $1`, [step]);
}

test('C5: indexes of large tables are built while calls are written, and a build that was cut off is done again', async () => {
  const { db, pool } = database;
  const tenant = await aTenant(db);
  const first = await aRunningBatch(db, tenant, 1);
  const second = await aRunningBatch(db, tenant, 1);
  await undoStep();
  const writer = new pg.Client({ connectionString: own.url });
  await writer.connect();
  await writer.query('begin');
  await writer.query(`update calls set reason = 'first' where batch_id = $1`, [first.batchId]);

  // Two processes, as in an upgrade; the one that builds waits for the writer, and no other does.
  const migrations = Promise.all([migrate(pool), migrate(pool)]);
  await expect
    .poll(async () => {
      const { rows } = await pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and query ilike '%index concurrently%'`,
      );
      return rows.length;
    })
    .toBe(1);
  await pool.query(`update calls set reason = 'second' where batch_id = $1`, [second.batchId]);
  expect(await schemaIsCurrent(pool)).toBe(false);
  await writer.query('commit');
  await writer.end();

  expect((await migrations).flat()).toEqual([step]);
  expect(await validIndexes()).toEqual(['calls_single_by_age', 'webhook_deliveries_pending']);
  expect(await schemaIsCurrent(pool)).toBe(true);
});

test('C5: while a step waits for a long transaction, all other statements go on', async () => {
  const { pool } = database;
  const name = '0160-writers-of-recordings.sql';
  await pool.query('alter table recordings drop column writer');
  await pool.query('delete from schema_migrations where name = $1', [name]);
  const client = () => new pg.Client({ connectionString: own.url, statement_timeout: 20_000 });
  const [long, other] = [client(), client()];
  await Promise.all([long.connect(), other.connect()]);
  await long.query('begin');
  await long.query('lock table recordings in row exclusive mode');
  await other.query('begin');

  const migration = migrate(pool);
  try {
    await expect.poll(() => lockWaits(pool)).toBe(1);
    // Behind the step that waits, as all claims of a dialer would be.
    await other.query('lock table recordings in access share mode');
    expect(await schemaIsCurrent(pool)).toBe(false);
  } finally {
    await Promise.all([long.end(), other.end()]);
    expect(await migration).toEqual([name]);
  }
  expect(await schemaIsCurrent(pool)).toBe(true);
});

test('C5: a change of a call that does not settle it writes no index', async () => {
  const { db } = database;
  const tenant = await aTenant(db);
  const { batchId } = await aRunningBatch(db, tenant, 2_000);
  // One connection: what it did can be read afterwards.
  await database.close();
  database = openDatabase({ url: own.url, poolSize: 1, name: 'test' });
  const change = (what: string) =>
    database.pool.query(
      `update calls set ${what}, updated_at = clock_timestamp() where batch_id = $1 and position % 20 = 0`,
      [batchId],
    );

  await change(`status = 'dialing', room_id = 'room', version_id = 'version'`);
  await change(`status = 'in-progress', answered_at = clock_timestamp(), answered_by = 'human'`);
  await change(`status = 'retrying', attempts_made = 1, next_attempt_at = clock_timestamp(), last_outcome = 'missed',
    reason = 'no answer', sip_status_code = 480, ended_at = clock_timestamp(), talk_seconds = 1`);

  await database.pool.query('select pg_stat_force_next_flush()');
  const { rows } = await database.pool.query<{ updates: number; hot: number }>(
    `select n_tup_upd::integer as updates, n_tup_hot_upd::integer as hot from pg_stat_user_tables where relname = 'calls'`,
  );
  expect(rows).toEqual([{ updates: 300, hot: 300 }]);
});

test('calls that settled before there were lists by status are filled in, a piece at a time, and the migration may be cut off', async () => {
  const { db, pool } = database;
  const tenant = await aTenant(db);
  const { batchId } = await aRunningBatch(db, tenant, 500);
  await pool.query(`update calls set status = 'missed' where batch_id = $1 and position >= 100`, [batchId]);
  await pool.query('alter table calls disable trigger settled_calls_keep_their_end');
  await pool.query('update calls set ended_as = null where batch_id = $1', [batchId]);
  await pool.query('alter table calls enable trigger settled_calls_keep_their_end');
  await pool.query('drop index calls_by_end');
  // As if an upgrade had been cut off while it made the indexes.
  const lists = await readFile(new URL('../../../db/migrations/0023-lists.sql', import.meta.url), 'utf8');
  await pool.query(/create procedure fill_ends_of_calls[\s\S]*?end \$\$;/.exec(lists)?.[0] ?? '');
  await pool.query(`delete from schema_migrations where name ~ 'indexes-of-lists|lists-are-filled'`);

  expect(await migrate(pool)).toHaveLength(2);

  const { rows } = await pool.query<{ end: string | null; calls: number }>(
    `select ended_as as end, count(*)::integer as calls from calls where batch_id = $1 group by 1 order by 1`,
    [batchId],
  );
  expect(rows).toEqual([
    { end: 'missed', calls: 400 },
    { end: null, calls: 100 },
  ]);
});

test('calls that settled before rooms were kept are filled in, and the migration may be cut off', async () => {
  const { db, pool } = database;
  const tenant = await aTenant(db);
  const { batchId } = await aRunningBatch(db, tenant, 300);
  await pool.query(
    `update calls set room_id = case when position % 3 = 0 then 'reception' else 'call_' || id || '_1_1' end where batch_id = $1`,
    [batchId],
  );
  await pool.query(`update calls set status = 'missed' where batch_id = $1 and position >= 150`, [batchId]);
  await pool.query('update calls set ended_room = null where batch_id = $1', [batchId]);
  await pool.query('drop index calls_by_room, calls_by_rule_and_end');
  const rooms = await readFile(
    new URL('../../../db/migrations/0030-rooms-of-ended-calls.sql', import.meta.url),
    'utf8',
  );
  await pool.query(/create procedure fill_rooms_of_calls[\s\S]*?end \$\$;/.exec(rooms)?.[0] ?? '');
  await pool.query(`delete from schema_migrations where name ~ 'indexes-of-ends|rooms-are-filled'`);

  expect(await migrate(pool)).toHaveLength(2);

  const { rows } = await pool.query<{ room: string | null; calls: number }>(
    `select ended_room as room, count(*)::integer as calls from calls where batch_id = $1 group by 1 order by 1`,
    [batchId],
  );
  expect(rows).toEqual([
    { room: 'reception', calls: 50 },
    { room: null, calls: 250 },
  ]);
});

test('deliveries from before their batch was kept are filled in, and the migration may be cut off', async () => {
  const { db, pool } = database;
  const tenant = await aTenant(db);
  const { batchId, callIds } = await aRunningBatch(db, tenant, 100);
  await pool.query(
    `insert into webhook_deliveries (id, account_id, call_id, event, endpoint, payload)
     select 'whd_' || id, account_id, id, 'call-summary', 'https://example.com', '{}' from calls where batch_id = $1`,
    [batchId],
  );
  const inBatch = async () => {
    const { rows } = await pool.query('select 1 from webhook_deliveries where call_batch_id = $1', [batchId]);
    return rows.length;
  };
  // As a process of the version before stores them, beside the new schema.
  expect(await inBatch()).toBe(callIds.length);
  await pool.query('update webhook_deliveries set call_batch_id = null');
  await pool.query('drop index webhook_deliveries_of_batch');
  const deliveries = await readFile(
    new URL('../../../db/migrations/0034-deliveries-of-calls.sql', import.meta.url),
    'utf8',
  );
  await pool.query(/create procedure fill_batches_of_deliveries[\s\S]*?end \$\$;/.exec(deliveries)?.[0] ?? '');
  await pool.query(`delete from schema_migrations where name ~ 'deliveries-of-calls-are'`);

  expect(await migrate(pool)).toHaveLength(2);

  expect(await inBatch()).toBe(callIds.length);
});

test('answered calls from before it was counted who answered are counted, and the migration may be cut off', async () => {
  const { db, pool } = database;
  const tenant = await aTenant(db);
  const { batchId } = await aRunningBatch(db, tenant, 100);
  await pool.query(
    `update calls set status = case when position < 90 then 'answered' else 'failed' end, answered_by = case
       when position < 50 then 'human' when position < 70 then 'machine' when position < 80 then 'unknown' end
     where batch_id = $1`,
    [batchId],
  );
  await pool.query('update batch_counters set human = 0, machine = 0');
  const step = await readFile(new URL('../../../db/migrations/0053-who-answered.sql', import.meta.url), 'utf8');
  await pool.query(/create procedure fill_who_answered[\s\S]*?end \$\$;/.exec(step)?.[0] ?? '');
  await pool.query(`delete from schema_migrations where name ~ 'who-answered-is'`);

  expect(await migrate(pool)).toHaveLength(2);

  const { rows } = await pool.query('select answered, human, machine from batch_counters where batch_id = $1', [
    batchId,
  ]);
  expect(rows).toEqual([{ answered: 90, human: 50, machine: 20 }]);
});

test('calls from before there were figures are counted once, also those that end meanwhile, and the migration may be cut off', async () => {
  const { db, pool } = database;
  const tenant = await aTenant(db);
  const { batchId } = await aRunningBatch(db, tenant, 100);
  const settle = (from: number, to: number) =>
    pool.query(
      `update calls set status = 'failed', reason = 'do_not_call', ended_at = now()
       where batch_id = $1 and position >= $2 and position < $3`,
      [batchId, from, to],
    );
  await settle(0, 40);
  // As if there had been no trigger yet; what ends from here on is noted.
  await pool.query('delete from figure_changes');
  await settle(40, 70);
  const step = await readFile(new URL('../../../db/migrations/0056-figures.sql', import.meta.url), 'utf8');
  await pool.query(/create table figures_filled[\s\S]*?;/.exec(step)?.[0] ?? '');
  await pool.query(/create procedure fill_figures[\s\S]*?end \$\$;/.exec(step)?.[0] ?? '');
  await pool.query(`delete from schema_migrations where name ~ 'figures-are'`);

  expect(await migrate(pool)).toHaveLength(2);

  await settle(70, 80);
  const days = { from: '2000-01-01', to: '2100-01-01' };
  expect(await figuresOfBatch(db, tenant.accountId, batchId, 'reason')).toMatchObject([
    { key: 'do_not_call', calls: 80 },
  ]);
  expect(await figuresOfAccount(db, tenant.accountId, days, 'reason')).toMatchObject([
    { key: 'do_not_call', calls: 80 },
  ]);
});

test('attempts from before there were timelines are counted once, also those that end meanwhile, and the migration may be cut off', async () => {
  const { db, pool } = database;
  const tenant = await aTenant(db);
  const { accountId } = tenant;
  const { batchId, callIds } = await aRunningBatch(db, tenant, 60);
  const attempts = callIds.map((callId) => [callId, 1] as const);
  await queueAttempts(db, { accountId, batchId, attempts }, new Date());
  const queued = await queuedAttempts(db, batchId);
  const end = (from: number, to: number) => endAttempts(db, queued.slice(from, to), 'answered');
  await end(0, 20);
  // As if there had been no minutes yet; what ends from here on has them. Some of it is added up already.
  await pool.query('update figure_changes set dialed_minute = null, answered_minute = null, ended_minute = null');
  await end(20, 30);
  await foldFigures(db);
  await end(30, 40);
  const step = await readFile(new URL('../../../db/migrations/0060-timeline.sql', import.meta.url), 'utf8');
  const makeProcedure = /create procedure fill_timeline[\s\S]*?end \$\$;/.exec(step)?.[0] ?? '';
  await pool.query(makeProcedure);
  await pool.query('call fill_timeline()');
  await end(40, 50);
  await moveTo(db, queued.slice(50), 'dialing');
  await pool.query(`delete from schema_migrations where name ~ 'timeline-is'`);

  expect(await migrate(pool)).toHaveLength(2);

  for (const owner of [batchId, null]) await timelineIsTrue(db, { accountId, batchId: owner });
  const range = { from: new Date(0), until: new Date(Date.now() + 1000), step: 86_400 } as const;
  expect((await timelineOf(db, { accountId, batchId: null }, range)).counts).toMatchObject([
    { dialed: 60, answered: 50, ended: 50 },
  ]);
});
