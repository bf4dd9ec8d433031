import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../../db/migrate.js';
import { type Database, openDatabase } from '../../../db/client.js';
import { findBatchStats } from '../../../db/queries/batches/batches.js';
import { storeAnalysis } from '../../../db/queries/calls/analyses.js';
import { listCalls } from '../../../db/queries/calls/list.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { foldFigures } from '../../../db/queries/dialer/fold-figures.js';
import { figuresOfAccount, figuresOfBatch } from '../../../db/queries/figures/figures.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant } from '../../workflow/fixtures.js';
import { endAttempts, queuedAttempts } from '../../workflow/play-dialer.js';
import { aRunningBatch } from '../orchestration/running-batch.js';

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

/** As if the migrations of this name were still to be done. */
const undo = (name: string) => database.pool.query('delete from schema_migrations where name ~ $1', [name]);

test('records that ended, and what was found out, before lists were filtered by them are found, and the migration may be cut off', async () => {
  const { db, pool } = database;
  const tenant = await aTenant(db);
  const { batchId } = await aRunningBatch(db, tenant, 300);
  await pool.query(
    `update calls set status = 'missed', reason = 'no_answer', sip_status_code = 480, attempts_made = 2,
       ended_at = '2026-01-02T03:04:05Z', analysis = case when position < 110 then '{"kept": true}'::jsonb end
     where batch_id = $1 and position >= 100`,
    [batchId],
  );
  await pool.query('alter table calls disable trigger settled_calls_keep_their_end');
  await pool.query('update calls set ended_facts = null, ended_time = null where batch_id = $1', [batchId]);
  await pool.query('alter table calls enable trigger settled_calls_keep_their_end');
  await pool.query('delete from record_analyses where position >= 103');
  await pool.query('drop index calls_by_facts_of_end');
  const step = await readFile(new URL('../../../db/migrations/0075-ends-of-records.sql', import.meta.url), 'utf8');
  await pool.query(/create procedure fill_facts_of_ends[\s\S]*?end \$\$;/.exec(step)?.[0] ?? '');
  await undo('indexes-of-records|successes-are-filled');

  expect(await migrate(pool)).toHaveLength(2);

  const { rows } = await pool.query<{ facts: string | null; time: Date | null; calls: number }>(
    `select ended_facts as facts, ended_time as time, count(*)::integer as calls from calls where batch_id = $1
     group by 1, 2 order by 1`,
    [batchId],
  );
  expect(rows).toEqual([
    { facts: 'missed|no_answer|480|2||', time: new Date('2026-01-02T03:04:05Z'), calls: 200 },
    { facts: null, time: null, calls: 100 },
  ]);
  const listed = await pool.query(
    `select count(*)::integer as records from record_analyses where batch_id = $1 and field = 'kept' and value = 'true'`,
    [batchId],
  );
  expect(listed.rows).toEqual([{ records: 10 }]);
});

test('conversations that achieved their purpose before that was counted are counted once, and the migration may be cut off', async () => {
  const { db, pool } = database;
  const tenant = await aTenant(db);
  const { accountId } = tenant;
  const { batchId, callIds } = await aRunningBatch(db, tenant, 30);
  const attempts = callIds.map((callId) => [callId, 1] as const);
  await queueAttempts(db, { accountId, batchId, attempts }, new Date());
  await endAttempts(db, await queuedAttempts(db, batchId), 'answered');
  const analyze = async (from: number, to: number) => {
    for (const callId of callIds.slice(from, to)) await storeAnalysis(db, { accountId, callId }, { kept: true }, true);
  };
  await analyze(0, 20);
  await foldFigures(db);
  // As if there had been no such column yet for the first, and the migration had been cut off after some of them.
  await pool.query('alter table call_attempts disable trigger successes_are_noted');
  await pool.query('update call_attempts set success = null where call_id = any ($1)', [callIds.slice(0, 15)]);
  await pool.query('alter table call_attempts enable trigger successes_are_noted');
  await pool.query('update figures set success = success * 5 / 20');
  await undo('successes-are-filled');

  expect(await migrate(pool)).toHaveLength(1);
  await analyze(15, 25);

  await foldFigures(db);
  const days = { from: '2000-01-01', to: '2100-01-01' };
  expect(await figuresOfBatch(db, accountId, batchId, 'attempt')).toMatchObject([
    { key: '1', answered: 30, success: 25 },
  ]);
  expect(await figuresOfAccount(db, accountId, days, 'attempt')).toMatchObject([
    { key: '1', answered: 30, success: 25 },
  ]);
});

test('talk times of single calls and recordings from before lists were filtered by them are found, and the migration may be cut off', async () => {
  const { db, pool } = database;
  const { accountId, ...tenant } = await aTenant(db);
  await pool.query(
    `insert into calls (id, account_id, to_number, from_number, rule_id, gateway_id, status, ended_at, talk_seconds)
     select uuidv7(), $1, '+1212555' || n, $2, $3, $4, case when n % 2 = 0 then 'answered' else 'missed' end, now(),
       case when n % 2 = 0 then n end from generate_series(1000, 1099) n`,
    [accountId, tenant.number, tenant.ruleId, tenant.gatewayId],
  );
  await pool.query(
    `insert into recordings (call_id, account_id, attempt, started_at)
     select id, account_id, 1, now() from calls where status = 'answered'`,
  );
  await pool.query('alter table calls disable trigger settled_calls_keep_their_end');
  await pool.query('update calls set ended_facts = null, ended_time = null, ended_talk_seconds = null');
  await pool.query('alter table calls enable trigger settled_calls_keep_their_end');
  await pool.query('update recordings set call_created_at = null');
  await pool.query('drop index calls_by_talk');
  await undo('indexes-of-talk-and-recordings');

  expect(await migrate(pool)).toHaveLength(1);

  const filter = { statuses: [], search: '', isRecorded: true, talk: { least: 1_000, most: 1_048 } };
  expect((await listCalls(db, accountId, filter, { offset: 0, limit: 1 })).total).toEqual({
    rows: 25,
    isEstimate: false,
  });
});

test('time talked that was counted of calls which no agent took is taken out of their batches, and the migration may be cut off', async () => {
  const { db, pool } = database;
  const tenant = await aTenant(db);
  const { accountId } = tenant;
  const batches = [await aRunningBatch(db, tenant, 3), await aRunningBatch(db, tenant, 3)];
  for (const { batchId, callIds } of batches) {
    const attempts = callIds.map((callId) => [callId, 1] as const);
    await queueAttempts(db, { accountId, batchId, attempts }, new Date());
    const [one, ...others] = await queuedAttempts(db, batchId);
    await endAttempts(db, others, 'abandoned');
    await endAttempts(db, one === undefined ? [] : [one], 'answered');
    await pool.query('update calls set talk_seconds = 10 where batch_id = $1', [batchId]);
  }
  const talked = async () =>
    (await Promise.all(batches.map(({ batchId }) => findBatchStats(db, accountId, batchId)))).map(
      (stats) => stats?.talkSeconds,
    );
  // As it was counted before, and the migration was cut off after the first.
  await pool.query('update batch_counters set talk_seconds = 30 where batch_id = $1', [batches[1]?.batchId]);
  expect(await talked()).toEqual([10, 30]);
  await undo('talk-of-answered-calls');
  expect(await migrate(pool)).toHaveLength(1);
  expect(await talked()).toEqual([10, 10]);
});
