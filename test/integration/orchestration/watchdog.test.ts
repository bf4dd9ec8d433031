import { afterEach, beforeEach, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { WorkflowControl } from '../../../activities/deps.js';
import { compareStores } from '../../../activities/watchdog.js';
import { type Database, openDatabase } from '../../../db/client.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { formatId } from '../../../domain/ids.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aBatch, aTenant, csvOf, startingAt, type Tenant } from '../../workflow/fixtures.js';
import { endAttempts, queuedAttempts } from '../../workflow/play-dialer.js';
import { quietLogger } from '../../workflow/test-env.js';
import { aRunningBatch } from './running-batch.js';

let own: TestDatabase;
let database: Database;
let tenant: Tenant;
beforeEach(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 10, name: 'test' });
  tenant = await aTenant(database.db);
});
afterEach(async () => {
  await database.close();
  await own.close();
});

const longAgo = new Date(Date.now() - 3_600_000);

/** One round against a Temporal in which these workflows run. @returns what it did there, in order */
async function round(running: readonly string[] = []): Promise<string[]> {
  const done: string[] = [];
  const workflows: WorkflowControl = {
    start: (name, workflowId) => {
      if (running.includes(workflowId)) return Promise.resolve('already');
      done.push(`start ${name} ${workflowId}`);
      return Promise.resolve('started');
    },
    signal: (...[workflowId, name]) => {
      if (!running.includes(workflowId)) return Promise.resolve('not_found');
      done.push(`${name} → ${workflowId}`);
      return Promise.resolve('taken');
    },
  };
  await compareStores({ database, workflows, kickOutbox: () => undefined, logger: quietLogger });
  return done.toSorted();
}

async function aSingleCall(status = 'pending'): Promise<string> {
  const id = uuidv7();
  await database.db
    .insertInto('calls')
    .values({
      id,
      account_id: tenant.accountId,
      to_number: '+12025550100',
      from_number: tenant.number,
      rule_id: tenant.ruleId,
      gateway_id: tenant.gatewayId,
      status,
      created_at: longAgo,
    })
    .execute();
  return id;
}

test('every unfinished batch and unsettled single call whose workflow is gone gets it back, and no other', async () => {
  const { db } = database;
  const parsing = await aBatch(db, tenant, csvOf(1), { created_at: longAgo });
  const { batchId: running } = await aRunningBatch(db, tenant, 1, { created_at: longAgo });
  const { batchId: alive } = await aRunningBatch(db, tenant, 1, { created_at: longAgo });
  await aBatch(db, tenant, csvOf(1), { created_at: longAgo, status: 'completed', completed_at: new Date() });
  await aBatch(db, tenant, csvOf(1)); // just created: on its way
  const single = formatId('call', await aSingleCall());
  await aSingleCall('answered');

  expect(await round([alive])).toEqual(
    [`start batchCall ${parsing}`, `start batchCall ${running}`, `start calls ${single}`].toSorted(),
  );
});

test('a batch that was cancelled, or is over its start, is told so again', async () => {
  const { db } = database;
  const old = { created_at: longAgo, updated_at: longAgo };
  const cancelling = await aBatch(db, tenant, csvOf(1), { ...old, status: 'cancelling', cancel_mode: 'graceful' });
  const overdue = await aBatch(db, tenant, csvOf(1), { ...startingAt(longAgo), ...old, status: 'scheduled' });
  const waiting = await aBatch(db, tenant, csvOf(1), {
    ...startingAt(new Date(Date.now() + 3_600_000)),
    ...old,
    status: 'scheduled',
  });

  expect(await round([cancelling, overdue, waiting])).toEqual(
    [`cancel → ${cancelling}`, `reconsider → ${overdue}`].toSorted(),
  );
});

test('a workflow whose calls are due and neither queued nor live looks again; others are left in peace', async () => {
  const { db } = database;
  const old = { created_at: longAgo, started_at: longAgo };
  const forgotten = await aRunningBatch(db, tenant, 2, old);
  const queued = await aRunningBatch(db, tenant, 1, old);
  const waiting = await aRunningBatch(db, tenant, 1, old);
  const queue = (batchId: string, callIds: readonly string[]) =>
    queueAttempts(
      db,
      { accountId: tenant.accountId, batchId, attempts: callIds.map((callId) => [callId, 1] as const) },
      new Date(),
    );
  await queue(queued.batchId, queued.callIds);
  await queue(waiting.batchId, waiting.callIds);
  await endAttempts(db, await queuedAttempts(db, waiting.batchId), 'missed', 3_600);
  await queue(forgotten.batchId, forgotten.callIds.slice(0, 1));
  const single = await aSingleCall();

  const workflows = [forgotten, queued, waiting].flatMap(({ batchId }) => [
    batchId,
    `${batchId}/calls-1`,
    `${batchId}/calls-2`,
  ]);
  expect(await round([...workflows, formatId('call', single)])).toEqual(
    [`reload → ${forgotten.batchId}/calls-2`, `reload → ${formatId('call', single)}`].toSorted(),
  );
});

test('deliveries and deployments without a workflow are taken up again', async () => {
  const { db } = database;
  const { batchId } = await aRunningBatch(db, tenant, 1);
  const deliveryId = formatId('webhookDelivery', uuidv7());
  await db
    .insertInto('webhook_deliveries')
    .values({
      id: deliveryId,
      account_id: tenant.accountId,
      batch_id: batchId,
      event: 'batchcall-started',
      endpoint: 'https://example.com',
      payload: '{}',
      created_at: longAgo,
    })
    .execute();
  const deploymentId = formatId('deployment', uuidv7());
  await db
    .insertInto('deployments')
    .values({
      id: deploymentId,
      account_id: tenant.accountId,
      agent_id: tenant.agentId,
      version_id: tenant.versionId,
      region: 'default',
      created_at: longAgo,
    })
    .execute();

  expect(await round()).toEqual([`start deliverWebhook ${deliveryId}`, `start deployAgent ${deploymentId}`].toSorted());
});

test('a gateway that sleeps although its queue is due is woken', async () => {
  const { db } = database;
  const { batchId, callIds } = await aRunningBatch(db, tenant, 1);
  await queueAttempts(db, { accountId: tenant.accountId, batchId, attempts: [[callIds[0]!, 1]] }, new Date());
  await db.updateTable('call_attempts').set({ due_at: longAgo }).execute();
  await db
    .updateTable('gateway_admission')
    .set({ next_claim_at: new Date(Date.now() + 3_600_000) })
    .execute();
  const workflows: WorkflowControl = {
    start: () => Promise.resolve('already'),
    signal: () => Promise.resolve('taken'),
  };

  const found = await compareStores({ database, workflows, kickOutbox: () => undefined, logger: quietLogger });

  const { next_claim_at: nextClaimAt } = await db
    .selectFrom('gateway_admission')
    .select('next_claim_at')
    .executeTakeFirstOrThrow();
  expect(found.wokenGateways).toBe(1);
  expect(nextClaimAt.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
});

test('one workflow that Temporal does not take keeps no other account waiting, and the round says that it failed', async () => {
  const { db } = database;
  const refused = await aBatch(db, tenant, csvOf(1), { created_at: longAgo });
  const other = await aTenant(db);
  const later = await aBatch(db, other, csvOf(1), { created_at: longAgo });
  const started: string[] = [];
  const workflows: WorkflowControl = {
    start: (_name, workflowId) => {
      if (workflowId === refused) return Promise.reject(new Error('the input is too large'));
      started.push(workflowId);
      return Promise.resolve('started');
    },
    signal: () => Promise.resolve('not_found'),
  };
  // More than are asked for at once, so that the one which fails cannot hide among them.
  const after = await Promise.all(
    Array.from({ length: 12 }, () => aBatch(db, other, csvOf(1), { created_at: longAgo })),
  );
  await expect(
    compareStores({ database, workflows, kickOutbox: () => undefined, logger: quietLogger }),
  ).rejects.toThrow('could not look at everything');
  expect(started.toSorted()).toEqual([later, ...after].toSorted());
});
