import { expect, test } from 'vitest';
import { aBatch, csvOf, type Tenant } from './fixtures.js';
import { endAttempts, moveTo } from './play-dialer.js';
import { batchRow, queueOf, statusOf, tell } from './batch-row.js';
import { shareTestEnv } from './shared-env.js';
import { timeSkippingTestEnv, type TimeSkippingTestEnv } from './test-env.js';

let testEnv: TimeSkippingTestEnv;
let tenant: Tenant;
shareTestEnv(timeSkippingTestEnv, (env, account) => {
  [testEnv, tenant] = [env, account];
});

const hook = {
  webhook_endpoint: 'https://example.com/hook',
  webhook_events: ['batchcall-started', 'batchcall-completed'],
};

const start = (batchId: string) =>
  testEnv.workflows.start('batchCall', batchId, { accountId: tenant.accountId, batchId });
const becomes = (batchId: string, status: string) =>
  testEnv.until(async () => (await statusOf(testEnv.database, batchId)) === status);
const resultOf = (batchId: string): Promise<unknown> => testEnv.client.workflow.getHandle(batchId).result();

async function deliveries(batchId: string): Promise<Record<string, unknown>[]> {
  const rows = await testEnv.database.db
    .selectFrom('webhook_deliveries')
    .select('payload')
    .where('batch_id', '=', batchId)
    .orderBy('created_at')
    .execute();
  return rows.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);
}

// shows: batch.records-uploaded, batch.state.running, batch.state.completed, batch.create.starts-itself
test('a file of five rows is parsed, called, and completed when every outcome has been heard', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(5), hook);
  await start(batchId);
  const attempts = await queueOf(testEnv, batchId, 5);
  expect(await batchRow(testEnv.database, batchId)).toMatchObject({
    status: 'running',
    records_uploaded: 5,
    records_rejected: 0,
    columns: ['phone_number'],
    calls_per_workflow: 1,
    paused: false,
  });

  await moveTo(db, attempts, 'answered');
  const [first, ...others] = attempts;
  expect(await tell(testEnv, await endAttempts(db, others, 'answered'))).toHaveLength(4);
  expect(await statusOf(testEnv.database, batchId)).toBe('running');
  await tell(testEnv, await endAttempts(db, [first!], 'rejected'));

  await becomes(batchId, 'completed');
  const counts = { pending: 0, retrying: 0, answered: 4, rejected: 1 };
  expect(await resultOf(batchId)).toMatchObject({ status: 'completed', counts });
  const common = { batchId, batchName: 'Reminders', recordsUploaded: 5 };
  expect(await deliveries(batchId)).toEqual([
    expect.objectContaining({
      ...common,
      event: 'batchcall-started',
      status: 'running',
      counts: expect.objectContaining({ pending: 5, answered: 0 }),
    }),
    expect.objectContaining({
      ...common,
      event: 'batchcall-completed',
      status: 'completed',
      counts: expect.objectContaining({ pending: 0, answered: 4, rejected: 1, 'not-answered': 0 }),
    }),
  ]);
});

// shows: rows.bad-rows
test('bad and corrected rows are kept, and the batch goes on with the others in the order of the file', async () => {
  const { db } = testEnv.database;
  await db.insertInto('do_not_call').values({ account_id: tenant.accountId, e164: '+12025551002' }).execute();
  const csv =
    'phone_number,name\n+12025551001,"Tab\there \\ and ""quotes"""\n12345,Bo\n+12025551002,Cy\n+1 (202) 555-1003,Dé\n';
  const batchId = await aBatch(db, tenant, csv);
  await start(batchId);

  expect((await queueOf(testEnv, batchId, 2)).map(({ to }) => to)).toEqual(['+12025551001', '+12025551003']);
  const calls = await db
    .selectFrom('calls')
    .select(['id', 'metadata', 'position'])
    .where('batch_id', '=', batchId)
    .orderBy('position')
    .execute();
  expect(calls.map(({ metadata }) => metadata)).toEqual([{ name: 'Tab\there \\ and "quotes"' }, { name: 'Dé' }]);
  expect(calls.map(({ id }) => id)).toEqual(calls.map(({ id }) => id).toSorted());
  const rejected = await db.selectFrom('rejected_rows').selectAll().where('batch_id', '=', batchId).execute();
  expect(rejected.map(({ row, value, reason }) => [row, value, reason])).toEqual([
    [3, '12345', 'invalid_number'],
    [4, '+12025551002', 'do_not_call'],
  ]);
  const corrected = await db.selectFrom('corrected_rows').selectAll().where('batch_id', '=', batchId).execute();
  expect(corrected).toEqual([
    {
      ...{ batch_id: batchId, account_id: tenant.accountId, row: 5 },
      ...{ value: '+1 (202) 555-1003', phone_number: '+12025551003' },
    },
  ]);
  expect(await batchRow(testEnv.database, batchId)).toMatchObject({
    ...{ records_uploaded: 2, records_rejected: 2, records_corrected: 1 },
  });
});

// shows: batch.state.parse-failed, batch.webhook.chosen, webhooks.once
test('a file that cannot be used ends the batch with the reason, and tells it once', async () => {
  const batchId = await aBatch(testEnv.database.db, tenant, 'Phone Number\n+12025551001\n', hook);
  await start(batchId);

  await becomes(batchId, 'parse_failed');
  expect(await batchRow(testEnv.database, batchId)).toMatchObject({
    parse_error: expect.stringContaining('phone_number'),
    records_uploaded: 0,
    completed_at: expect.any(Date),
  });
  expect(await resultOf(batchId)).toMatchObject({ status: 'parse_failed' });
  expect(await deliveries(batchId)).toEqual([
    expect.objectContaining({ event: 'batchcall-completed', status: 'parse_failed', recordsUploaded: 0 }),
  ]);
});

test('a file of bad rows only keeps them for its owner; one that breaks off half-way keeps nothing', async () => {
  const { db } = testEnv.database;
  const bad = await aBatch(db, tenant, 'phone_number\n123\n456\n');
  const broken = await aBatch(db, tenant, `${csvOf(5)}\n"+1202\n`);
  await Promise.all([start(bad), start(broken)]);

  await Promise.all([becomes(bad, 'parse_failed'), becomes(broken, 'parse_failed')]);
  const count = async (table: 'rejected_rows' | 'calls', batchId: string) =>
    (await db.selectFrom(table).select('batch_id').where('batch_id', '=', batchId).execute()).length;
  expect(await count('rejected_rows', bad)).toBe(2);
  expect(await batchRow(testEnv.database, bad)).toMatchObject({ records_rejected: 2 });
  expect([await count('calls', broken), await count('rejected_rows', broken)]).toEqual([0, 0]);
});

// shows: batch.rechecked
test.each([
  ['agent_inactive', (t: Tenant) => ['agents', { status: 'inactive', deployment_id: null }, t.agentId] as const],
  ['rule_unavailable', (t: Tenant) => ['routing_rules', { type: 'inbound' }, t.ruleId] as const],
])('what has become unusable by the start pauses the batch: %s', async (reason, change) => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(2), hook);
  const [table, values, id] = change(tenant);
  await db.updateTable(table).set(values).where('id', '=', id).execute();
  await start(batchId);

  await becomes(batchId, 'running');
  expect(await batchRow(testEnv.database, batchId)).toMatchObject({
    paused: true,
    paused_reason: reason,
    paused_details: expect.any(String),
  });
  // The attempts wait in the queue, where the claim passes over a paused batch: no attempt is consumed.
  await queueOf(testEnv, batchId, 2);
  expect((await deliveries(batchId)).map(({ event }) => event)).toEqual(['batchcall-started']);
});

test('a batch that was finished meanwhile is left alone by a workflow that starts late', async () => {
  const batchId = await aBatch(testEnv.database.db, tenant, csvOf(1), {
    status: 'completed',
    completed_at: new Date(),
  });
  await start(batchId);

  expect(await resultOf(batchId)).toMatchObject({ status: 'completed' });
  expect(await deliveries(batchId)).toEqual([]);
});

test('placeholders of the agent that neither a column nor agentMetadata fills are kept with the batch', async () => {
  const { db } = testEnv.database;
  const prompt = 'Hi {{name}} of {{firm}}, {{doctor}} waits.';
  const { id } = await db
    .insertInto('agent_versions')
    .values({
      id: `${tenant.versionId}-2`,
      account_id: tenant.accountId,
      agent_id: tenant.agentId,
      number: 2,
      name: 'second',
      config: JSON.stringify({ name: 'Ann', languages: { english: { prompt } } }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.updateTable('deployments').set({ version_id: id }).where('agent_id', '=', tenant.agentId).execute();
  await db
    .updateTable('routing_rules')
    .set({ agent_metadata: JSON.stringify({ firm: 'Acme' }) })
    .where('id', '=', tenant.ruleId)
    .execute();
  const batchId = await aBatch(db, tenant, 'phone_number,name\n+12025551001,Asha\n');
  await start(batchId);

  await queueOf(testEnv, batchId, 1);
  expect((await batchRow(testEnv.database, batchId)).unfilled_placeholders).toEqual([
    { path: 'languages.english.prompt', placeholder: 'doctor' },
  ]);
});

test('with on_unfilled=reject a file without a column that the agent says is parse_failed, and a gap is a rejected row', async () => {
  const { db, pool } = testEnv.database;
  await pool.query('alter table agent_versions disable trigger agent_versions_are_immutable');
  await pool.query('update agent_versions set config = $2 where id = $1', [
    tenant.versionId,
    JSON.stringify({ name: 'Ann', languages: { english: { prompt: 'Greet {{first_name}}.' } } }),
  ]);
  await pool.query('alter table agent_versions enable trigger agent_versions_are_immutable');
  const reject = { on_unfilled: 'reject' };
  const [misspelt, gap, allowed] = [
    await aBatch(db, tenant, 'phone_number,firstname\n+12025551000,Asha\n', reject),
    await aBatch(db, tenant, 'phone_number,first_name\n+12025551001,Asha\n+12025551002,\n', reject),
    await aBatch(db, tenant, 'phone_number,firstname\n+12025551003,Asha\n'),
  ];
  for (const batchId of [misspelt, gap, allowed]) await start(batchId);
  await becomes(misspelt, 'parse_failed');
  expect((await batchRow(testEnv.database, misspelt)).parse_error).toContain('{{first_name}}');
  await becomes(gap, 'running');
  expect(await batchRow(testEnv.database, gap)).toMatchObject({ records_uploaded: 1, records_rejected: 1 });
  await becomes(allowed, 'running');
});
