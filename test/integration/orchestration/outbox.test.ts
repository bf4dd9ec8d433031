import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { WorkflowControl } from '../../../activities/deps.js';
import { type Database, openDatabase } from '../../../db/client.js';
import { addToOutbox } from '../../../db/queries/outbox.js';
import { groupWorkflowId } from '../../../domain/workflow/ids.js';
import { createOutboxSender } from '../../../worker/outbox-sender.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant, type Tenant } from '../../workflow/fixtures.js';
import { quietLogger, until } from '../../workflow/test-env.js';
import { aRunningBatch } from './running-batch.js';

let own: TestDatabase;
let database: Database;
let tenant: Tenant;
beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 10, name: 'test' });
});
afterAll(async () => {
  await database.close();
  await own.close();
});
beforeEach(async () => {
  await database.db.deleteFrom('outbox').execute();
  tenant = await aTenant(database.db);
});

/** Temporal as the outbox sees it, with a record of what it was told. */
function aWorkflowControl(answers: Partial<WorkflowControl> = {}) {
  const told: string[] = [];
  const workflows: WorkflowControl = {
    start: async (name, workflowId, input) => {
      const outcome = await (answers.start?.(name, workflowId, input) ?? Promise.resolve('started' as const));
      told.push(`start ${name} ${workflowId}`);
      return outcome;
    },
    signal: async (workflowId, name, ...payload) => {
      const outcome = await (answers.signal?.(workflowId, name, ...payload) ?? Promise.resolve('taken' as const));
      told.push(`${name} → ${workflowId}`);
      return outcome;
    },
  };
  return { workflows, told };
}
const senderOf = (workflows: WorkflowControl) => createOutboxSender(workflows, database.db, quietLogger);
const left = () => database.db.selectFrom('outbox').selectAll().orderBy('id').execute();
const start = (batchId: string) =>
  ({ kind: 'start', name: 'batchCall', input: { accountId: 'acc_1', batchId } }) as const;
const cancel = (workflowId: string) => ({ kind: 'signal', name: 'cancel', workflowId, input: {} }) as const;

test('what a transaction wrote down is told once it is committed, and then forgotten', async () => {
  const { workflows, told } = aWorkflowControl();
  await addToOutbox(database.db, start('batch_1'));
  await addToOutbox(database.db, cancel('batch_1'));
  await database.db
    .transaction()
    .execute(async (tx) => {
      await addToOutbox(tx, start('batch_never'));
      throw new Error('rolled back');
    })
    .catch(() => undefined);

  expect(await senderOf(workflows).sendDue()).toBe(2);

  expect(told.toSorted()).toEqual(['cancel → batch_1', 'start batchCall batch_1']);
  expect(await left()).toEqual([]);
});

// shows: everywhere.upload-without-temporal
test('while Temporal cannot be reached nothing is lost, and what went wrong is kept for the operator', async () => {
  let reachable = false;
  const { workflows, told } = aWorkflowControl({
    start: () => (reachable ? Promise.resolve('started') : Promise.reject(new Error('14 UNAVAILABLE'))),
  });
  await addToOutbox(database.db, start('batch_2'));
  const sender = senderOf(workflows);

  expect(await sender.sendDue()).toBe(0);
  expect(await left()).toMatchObject([{ attempts: 1, last_error: '14 UNAVAILABLE' }]);
  expect(await sender.sendDue()).toBe(0);
  reachable = true;
  await database.db
    .updateTable('outbox')
    .set({ next_try_at: new Date(0) })
    .execute();

  expect(await sender.sendDue()).toBe(1);
  expect(told).toEqual(['start batchCall batch_2']);
});

test('a workflow that runs already counts as started', async () => {
  const { workflows } = aWorkflowControl({ start: () => Promise.resolve('already') });
  await addToOutbox(database.db, start('batch_3'));
  expect(await senderOf(workflows).sendDue()).toBe(1);
  expect(await left()).toEqual([]);
});

test('a signal that finds no workflow counts as taken only where Postgres shows the batch over', async () => {
  const { workflows } = aWorkflowControl({ signal: () => Promise.resolve('not_found') });
  const { batchId } = await aRunningBatch(database.db, tenant, 1);
  await addToOutbox(database.db, cancel(batchId));
  const sender = senderOf(workflows);

  expect(await sender.sendDue()).toBe(0);
  expect(await left()).toHaveLength(1);
  await database.db
    .updateTable('batches')
    .set({ status: 'cancelled', completed_at: new Date() })
    .where('id', '=', batchId)
    .execute();
  await database.db
    .updateTable('outbox')
    .set({ next_try_at: new Date(0) })
    .execute();

  expect(await sender.sendDue()).toBe(1);
  expect(await left()).toEqual([]);
});

test('C12: a word for a group whose calls are all settled counts as taken, though its batch goes on', async () => {
  const { workflows } = aWorkflowControl({ signal: () => Promise.resolve('not_found') });
  const { batchId, callIds } = await aRunningBatch(database.db, tenant, 4, { calls_per_workflow: 2 });
  const settle = (ids: readonly string[]) =>
    database.db
      .updateTable('calls')
      .set({ status: 'answered' })
      .where('id', 'in', [...ids])
      .execute();
  await settle(callIds.slice(0, 2));
  for (const group of [0, 1]) {
    await addToOutbox(database.db, {
      kind: 'signal',
      name: 'reload',
      workflowId: groupWorkflowId(batchId, group),
      input: {},
    });
  }

  expect(await senderOf(workflows).sendDue()).toBe(1);
  expect(await left()).toMatchObject([{ workflow_id: groupWorkflowId(batchId, 1) }]);
});

test('entries of an older and of a newer version are sent as they were written', async () => {
  const sent: unknown[] = [];
  const { workflows } = aWorkflowControl({
    start: (...start) => {
      sent.push(start);
      return Promise.resolve('started');
    },
    signal: (...signal) => {
      sent.push(signal);
      return Promise.resolve('taken');
    },
  });
  await sql`
    insert into outbox (kind, name, workflow_id, input) values
      ('start', 'batchCall', 'batch_5', '{"accountId": "acc_1", "batchId": "batch_5"}'),
      ('signal', 'cancel', 'batch_5', '{}'),
      ('start', 'reconcileInbound', 'reconcile-inbound/77', '{}'),
      ('start', 'notYetKnown', 'new_1', '{"some": "input"}')`.execute(database.db);

  expect(await senderOf(workflows).sendDue()).toBe(4);
  expect(sent).toEqual([
    ['batchCall', 'batch_5', { accountId: 'acc_1', batchId: 'batch_5' }],
    ['batch_5', 'cancel', {}],
    ['reconcileInbound', 'reconcile-inbound/77', {}],
    ['notYetKnown', 'new_1', { some: 'input' }],
  ]);
});

test('several processes share the work: each entry goes to one of them', async () => {
  const { workflows, told } = aWorkflowControl();
  for (let entry = 0; entry < 150; entry += 1) await addToOutbox(database.db, start(`batch_${uuidv7()}`));

  const sent = await Promise.all([1, 2, 3].map(() => senderOf(workflows).sendDue()));

  expect(sent.reduce((sum, each) => sum + each, 0)).toBe(150);
  expect(new Set(told).size).toBe(150);
  expect(told).toHaveLength(150);
});

test('an entry whose sender died is sent by another when its lease is over', async () => {
  const dead = aWorkflowControl({ start: () => new Promise(() => undefined) });
  await addToOutbox(database.db, start('batch_4'));
  void senderOf(dead.workflows).sendDue();
  await until(async () => (await left()).every((entry) => entry.next_try_at.getTime() > Date.now()));
  const { workflows, told } = aWorkflowControl();
  expect(await senderOf(workflows).sendDue()).toBe(0);

  await database.db
    .updateTable('outbox')
    .set({ next_try_at: new Date(0) })
    .execute();

  expect(await senderOf(workflows).sendDue()).toBe(1);
  expect(told).toEqual(['start batchCall batch_4']);
});

test('an entry of which PostgreSQL refuses to note what went wrong keeps none of the others from being done, and told once', async () => {
  const { workflows, told } = aWorkflowControl({
    start: (_name, workflowId) =>
      workflowId === 'batch_bad' ? Promise.reject(new Error('a word \0 of a server')) : Promise.resolve('started'),
  });
  for (const batchId of ['batch_bad', 'batch_5', 'batch_6']) await addToOutbox(database.db, start(batchId));
  const sender = senderOf(workflows);
  expect(await sender.sendDue()).toBe(2);
  expect(await left()).toMatchObject([{ workflow_id: 'batch_bad', last_error: 'a word  of a server' }]);

  await database.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin
      raise exception 'what it holds is refused' using errcode = 'data_exception'; end $$;
    create trigger refuse before update on outbox for each row when (new.attempts > old.attempts) execute function refuse()`);
  await sql`update outbox set next_try_at = '-infinity'`.execute(database.db);
  await addToOutbox(database.db, start('batch_7'));
  expect(await sender.sendDue()).toBe(1);
  expect(await left()).toMatchObject([{ workflow_id: 'batch_bad' }]);
  await database.pool.query('drop trigger refuse on outbox; drop function refuse()');
  expect(told.toSorted()).toEqual(['start batchCall batch_5', 'start batchCall batch_6', 'start batchCall batch_7']);
});
