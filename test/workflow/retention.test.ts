import { v7 as uuidv7 } from 'uuid';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { deleteExpired } from '../../activities/retention.js';
import { formatId } from '../../domain/ids.js';
import { emptier } from '../setup/database.js';
import { aBatch, aTenant, csvOf, type Tenant } from './fixtures.js';
import { ownTestEnv, shareTestEnv } from './shared-env.js';
import { timeSkippingTestEnv, type TimeSkippingTestEnv, type TestEnvOptions } from './test-env.js';

let testEnv: TimeSkippingTestEnv;
let tenant: Tenant;
/** Removes what a test has stored: a round is about all accounts. */
let empty: () => Promise<void>;
shareTestEnv(
  async () => {
    const env = await timeSkippingTestEnv({ retentionDays: 30 });
    empty = await emptier(env.database.pool);
    return env;
  },
  (env, account) => {
    [testEnv, tenant] = [env, account];
  },
);
afterEach(() => empty());

const testEnvThatKeeps = async (options: TestEnvOptions): Promise<void> => {
  [testEnv, tenant] = await ownTestEnv(() => timeSkippingTestEnv(options));
};

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const round = async (): Promise<unknown> => {
  const id = `retention-${uuidv7()}`;
  await testEnv.workflows.start('retention', id, {});
  return testEnv.client.workflow.getHandle(id).result();
};

/** A batch with that many calls, a file, a rejected row and a webhook delivery. */
async function aCompletedBatch(completedAt: Date, count = 2): Promise<string> {
  const { db, pool } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(count), { status: 'completed', completed_at: completedAt });
  await pool.query(
    `insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, status, metadata,
       recipient_id, transcript, summary, analysis, analysis_error, success)
     select gen_random_uuid(), $2, $1, n, '+1212555' || lpad(n::text, 4, '0'), $3, $4, $5, 'answered', '{"name": "Asha"}',
       'asha-' || n, '[{"text": "Hello"}]', 'She will come.', '{"kept": true}', 'refused', true from generate_series(0, $6::integer - 1) n`,
    [batchId, tenant.accountId, tenant.number, tenant.ruleId, tenant.gatewayId, count],
  );
  await pool.query(
    `insert into rejected_rows (batch_id, row, account_id, value, reason, message, recipient_id)
     values ($1, 9, $2, 'Asha 12', 'invalid_number', 'Asha 12 is no number', 'asha-9')`,
    [batchId, tenant.accountId],
  );
  await pool.query(
    `insert into webhook_deliveries (id, account_id, batch_id, event, endpoint, payload, status, created_at)
     values ($1, $2, $3, 'batchcall-completed', 'https://example.com', '{"a": 1}', 'delivered', $4)`,
    [formatId('webhookDelivery', uuidv7()), tenant.accountId, batchId, completedAt],
  );
  return batchId;
}

async function aSingleCall(endedAt: Date, status = 'answered'): Promise<string> {
  const id = uuidv7();
  await testEnv.database.pool.query(
    `insert into calls (id, account_id, to_number, from_number, rule_id, gateway_id, status, metadata, transcript,
       participant, created_at, updated_at)
     values ($1, $2, '+12125550100', $3, $4, $5, $6, '{"name": "Asha"}', '[]', '{"name": "Asha"}', $7, $7)`,
    [id, tenant.accountId, tenant.number, tenant.ruleId, tenant.gatewayId, status, endedAt],
  );
  return id;
}

/** How much of people's data there still is. */
async function dataOf(batchId: string) {
  const { rows } = await testEnv.database.pool.query<Record<string, number>>(
    `select (select count(*)::int from batch_files where batch_id = $1) as files,
       (select count(*)::int from calls where batch_id = $1) as calls,
       (select count(*)::int from calls where batch_id = $1 and (metadata::text <> '{}' or transcript is not null
         or summary is not null or analysis is not null or analysis_error is not null or success is not null
         or recipient_id is not null)) as "withData",
       (select count(*)::int from rejected_rows where batch_id = $1
         and (value <> '' or recipient_id is not null)) as rejected,
       (select count(*)::int from webhook_deliveries where batch_id = $1) as deliveries`,
    [batchId],
  );
  return rows[0]!;
}
const kept = { files: 1, calls: 2, withData: 2, rejected: 1, deliveries: 1 };
const emptied = { files: 0, calls: 2, withData: 0, rejected: 0, deliveries: 0 };

// shows: retention.deleted
test('what is older than its time is deleted, what is younger or not over is not; that calls were made stays', async () => {
  const { db } = testEnv.database;
  const [old, young] = [await aCompletedBatch(daysAgo(31)), await aCompletedBatch(daysAgo(29))];
  const running = await aBatch(db, tenant, csvOf(1), { status: 'running', created_at: daysAgo(90) });
  const [oldCall, youngCall, liveCall] = [
    await aSingleCall(daysAgo(31)),
    await aSingleCall(daysAgo(29)),
    await aSingleCall(daysAgo(90), 'in-progress'),
  ];

  expect(await round()).toEqual({ batches: 1, deleted: 0 });

  expect(await dataOf(old)).toEqual(emptied);
  expect(await dataOf(young)).toEqual(kept);
  expect((await dataOf(running)).files).toBe(1);
  const calls = await db
    .selectFrom('calls')
    .select(['id', 'metadata', 'participant'])
    .where('batch_id', 'is', null)
    .execute();
  const empty = calls.filter(({ metadata }) => JSON.stringify(metadata) === '{}');
  expect(empty).toEqual([{ id: oldCall, metadata: {}, participant: null }]);
  expect(calls.map(({ id }) => id).toSorted()).toEqual([oldCall, youngCall, liveCall].toSorted());
  // Of the file its name stays, which every answer has.
  const batch = await db.selectFrom('batches').selectAll().where('id', '=', old).executeTakeFirstOrThrow();
  expect(batch).toMatchObject({ status: 'completed', filename: 'people.csv', extension: 'csv' });
  expect(await round()).toEqual({ batches: 0, deleted: 0 });
});

// shows: retention.resumes
test('a round that fails in the middle is done again and finishes the rest', async () => {
  const { pool } = testEnv.database;
  const batchId = await aCompletedBatch(daysAgo(31), 2_500);
  // The second piece waits for this row, and is cut off there.
  const other = await pool.connect();
  await other.query('begin');
  await other.query('select 1 from calls where batch_id = $1 and position = 1500 for update', [batchId]);
  const done = round();
  const waiting = `select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ilike '%update calls c set%'`;
  await testEnv.until(async () => (await pool.query(waiting)).rows.length > 0);
  expect((await dataOf(batchId)).withData).toBe(1_500);
  await pool.query(`select pg_cancel_backend(pid) from (${waiting}) w`);
  await other.query('rollback');
  other.release();

  expect(await done).toEqual({ batches: 1, deleted: 0 });
  expect(await dataOf(batchId)).toEqual({ ...emptied, calls: 2_500 });
});

test('the data of a batch that a retry is being copied from is left until that is done', async () => {
  const { db } = testEnv.database;
  const batchId = await aCompletedBatch(daysAgo(31));
  const retry = await aBatch(db, tenant, csvOf(1), { retried_from: batchId });
  await round();
  expect(await dataOf(batchId)).toMatchObject({ files: 1, withData: 2 });

  await db.updateTable('batches').set({ status: 'running' }).where('id', '=', retry).execute();
  await round();

  expect(await dataOf(batchId)).toEqual(emptied);
});

test('answers to Idempotency-Keys go after a day, with or without a time for the rest', async () => {
  await testEnvThatKeeps({});
  const { db } = testEnv.database;
  const batchId = await aCompletedBatch(daysAgo(400));
  const { id: keyId } = await db
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', tenant.accountId)
    .executeTakeFirstOrThrow();
  const stored = { key_id: keyId, account_id: tenant.accountId, route: 'POST /v2/sip/call', fingerprint: 'f' };
  await db
    .insertInto('idempotency_keys')
    .values([
      { ...stored, idempotency_key: 'old', created_at: daysAgo(1.1) },
      { ...stored, idempotency_key: 'new', created_at: daysAgo(0.9) },
    ])
    .execute();

  await round();

  expect(await db.selectFrom('idempotency_keys').select('idempotency_key').execute()).toEqual([
    { idempotency_key: 'new' },
  ]);
  expect(await dataOf(batchId)).toEqual(kept);
});

test('C11: finished batches and calls are deleted altogether when their time is over, and the audit log says what they came to', async () => {
  await testEnvThatKeeps({ historyDays: 30 });
  const { db, pool } = testEnv.database;
  const old = await aCompletedBatch(daysAgo(31), 2_500);
  const [young, copied] = [await aCompletedBatch(daysAgo(29)), await aCompletedBatch(daysAgo(32))];
  const retry = await aBatch(db, tenant, csvOf(1), { retried_from: copied });
  const running = await aBatch(db, tenant, csvOf(1), { status: 'running', created_at: daysAgo(90) });
  await aSingleCall(daysAgo(31));
  const kept = [await aSingleCall(daysAgo(29)), await aSingleCall(daysAgo(90), 'in-progress')];
  await pool.query(
    `insert into call_attempts (call_id, number, account_id, gateway_id, to_number, phase, due_at, claimed_by, outcome)
     select id, 1, account_id, gateway_id, to_number, 'ended', now(), gen_random_uuid(), 'answered' from calls
     where batch_id = $1`,
    [old],
  );

  expect(await round()).toEqual({ batches: 0, deleted: 1 });
  await testEnv.until(async () => (await dataOf(old)).calls === 0);

  expect(await dataOf(old)).toEqual({ files: 0, calls: 0, withData: 0, rejected: 0, deliveries: 0 });
  const batches = await db.selectFrom('batches').select('id').execute();
  expect(batches.map(({ id }) => id).toSorted()).toEqual([young, copied, retry, running].toSorted());
  const singles = await db.selectFrom('calls').select('id').where('batch_id', 'is', null).execute();
  expect(singles.map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
  const attempts = await db.selectFrom('call_attempts').select('call_id').execute();
  expect(attempts).toEqual([]);
  const log = await db.selectFrom('audit_log').select(['action', 'target', 'key_id', 'details']).execute();
  expect(log).toMatchObject([
    { action: 'batch-call.delete', target: old, key_id: null, details: { because: 'OUTDIAL_HISTORY_DAYS' } },
  ]);
  // What a retry was being made from goes when that is done.
  await db.updateTable('batches').set({ status: 'running' }).where('id', '=', retry).execute();
  expect(await round()).toEqual({ batches: 0, deleted: 1 });
});

test('a batch whose data cannot be deleted keeps the data of no other account, and the round fails in the end', async () => {
  const { db, pool } = testEnv.database;
  const stuck = await aCompletedBatch(daysAgo(60));
  tenant = await aTenant(db);
  const [old, call] = [await aCompletedBatch(daysAgo(40)), await aSingleCall(daysAgo(40))];
  await pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'damaged row'; end $$;
    create trigger refuse before update on calls for each row when (old.batch_id = '${stuck}') execute function refuse()`);
  onTestFinished(async () => void (await pool.query('drop function refuse cascade')));
  const rounds = (keep: Parameters<typeof deleteExpired>[1]) =>
    deleteExpired(db, keep, new Date(), new AbortController().signal).catch((error: unknown) => error);

  const failed = await rounds({ data: 30 });
  expect(failed).toBeInstanceOf(AggregateError);
  expect(String((failed as AggregateError).errors)).toContain(stuck);
  expect(await dataOf(old)).toEqual({ ...emptied, deliveries: 0 });
  expect((await dataOf(stuck)).withData).toBe(2);
  const { rows } = await pool.query('select purged_at is not null as emptied from calls where id = $1', [call]);
  expect(rows).toEqual([{ emptied: true }]);

  await pool.query(
    `create trigger kept before delete on batches for each row when (old.id = '${stuck}') execute function refuse()`,
  );
  const later = await aCompletedBatch(daysAgo(35));
  // As the database writes it, between two milliseconds.
  await pool.query(`update batches set completed_at = completed_at + interval '123 microseconds'`);
  const refused = await rounds({ history: 30 });
  expect(refused).toBeInstanceOf(AggregateError);
  expect((refused as AggregateError).errors).toHaveLength(1);
  const left = await pool.query('select id from batches where id = any ($1)', [[stuck, old, later]]);
  expect(left.rows).toEqual([{ id: stuck }]);
});
