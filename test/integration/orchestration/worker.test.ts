import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { customUrls } from '../../../domain/agent/model-endpoints.js';
import { type Database, openDatabase } from '../../../db/client.js';
import { addToOutbox } from '../../../db/queries/outbox.js';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import { findTemporal, userBinFolder } from '../../../embedded/temporal.js';
import { startTemporalServer, type TemporalServer } from '../../../embedded/temporal-server.js';
import { livePollers } from '../../../worker/pollers.js';
import { type RunningWorker, startWorker } from '../../../worker/start-worker.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { cancelBatch, queueOf, statusOf, tell } from '../../workflow/batch-row.js';
import { aBatch, aTenant, csvOf, startingAt, type Tenant } from '../../workflow/fixtures.js';
import { endAttempts } from '../../workflow/play-dialer.js';
import { workflowCode } from '../../workflow/workflow-code.js';
import { quietLogger, simulatedDeploys, testSecretBox, until } from '../../workflow/test-env.js';
import { createWorkflowControl } from '../../../worker/workflow-control.js';

let own: TestDatabase;
let database: Database;
let tenant: Tenant;
let server: TemporalServer;
let connection: Connection;
let worker: RunningWorker;

/** A server that remembers nothing once it is stopped: a wiped database. */
async function aServer(port?: number): Promise<TemporalServer> {
  const found = await findTemporal({ binFolder: userBinFolder() });
  if (found.kind === 'server') throw new Error('This test stops its server; it cannot use TEMPORAL_ADDRESS.');
  return startTemporalServer({
    program: found.path,
    logFile: join(temporaryFolder('worker-test'), 'temporal.log'),
    ...(port === undefined ? {} : { port }),
  });
}

const aWorker = async (of = database, taskQueue = 'outdial'): Promise<RunningWorker> =>
  startWorker({
    temporal: { address: server.address, namespace: 'default', taskQueue },
    database: of,
    poolSize: 10,
    logger: quietLogger,
    secretBox: testSecretBox(),
    fetchOutside: () => Promise.reject(new Error('no network here')),
    deploy: simulatedDeploys,
    languageModels: { serviceKey: () => undefined, customUrls: customUrls({}) },
    workflowBundle: { code: await workflowCode() },
  });

beforeEach(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 10, name: 'test' });
  tenant = await aTenant(database.db);
  server = await aServer();
  connection = await Connection.connect({ address: server.address });
  worker = await aWorker();
});
afterEach(async () => {
  await worker.stop();
  await connection.close();
  await server.stop();
  await database.close();
  await own.close();
});

const testEnv = () => ({ database, workflows: createWorkflowControl(new Client({ connection }), 'outdial') });
const becomes = (batchId: string, status: string) => until(async () => (await statusOf(database, batchId)) === status);

async function anUpload(count: number, fields: Parameters<typeof aBatch>[3] = {}): Promise<string> {
  const batchId = await aBatch(database.db, tenant, csvOf(count), fields);
  const input = { accountId: tenant.accountId, batchId };
  await addToOutbox(database.db, { kind: 'start', name: 'batchCall', input });
  return batchId;
}

test('the worker takes an upload from the outbox, shows it to operators, and runs watchdog and retention by schedules', async () => {
  const batchId = await anUpload(2);
  const attempts = await queueOf(testEnv(), batchId, 2);

  const client = new Client({ connection });
  const { typedSearchAttributes, staticSummary } = await client.workflow
    .getHandle(batchId)
    .describe()
    .then(async (found) => ({
      typedSearchAttributes: found.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
      staticSummary: await found.staticSummary(),
    }));
  expect(Object.fromEntries(typedSearchAttributes)).toMatchObject({
    OutdialAccountId: tenant.accountId,
    OutdialBatchId: batchId,
    OutdialStatus: 'running',
  });
  expect(staticSummary).toContain(batchId);
  for (const workflowType of ['watchdog', 'retention']) {
    const { action } = await client.schedule.getHandle(`outdial-${workflowType}`).describe();
    expect(action).toMatchObject({ workflowType });
  }

  await tell(testEnv(), await endAttempts(database.db, attempts, 'answered'));
  await becomes(batchId, 'completed');
});

test('when Temporal’s database is deleted in the middle, every batch goes on where Postgres shows it', async () => {
  const longAgo = new Date(Date.now() - 60_000);
  const running = await anUpload(3, { created_at: longAgo });
  const [one, two, three] = await queueOf(testEnv(), running, 3);
  await tell(testEnv(), await endAttempts(database.db, [one!], 'missed', 1));
  const waiting = await anUpload(2, { ...startingAt(new Date(Date.now() + 3_600_000)), created_at: longAgo });
  await becomes(waiting, 'scheduled');
  await queueOf(testEnv(), running, 3);

  await server.stop();
  // Outcomes are committed and a cancel is accepted while there is no Temporal at all.
  const unheard = await endAttempts(database.db, [two!], 'rejected', 1);
  await database.db
    .updateTable('batches')
    .set({ status: 'cancelling', cancel_mode: 'graceful' })
    .where('id', '=', waiting)
    .execute();
  server = await aServer(server.port);

  await becomes(waiting, 'cancelled');
  const again = (await queueOf(testEnv(), running, 3)).filter(({ callId }) => callId !== three!.callId);
  expect(again.map(({ callId, attempt }) => [callId, attempt])).toEqual([
    [one!.callId, 2],
    [two!.callId, 2],
  ]);
  expect(await tell(testEnv(), unheard)).toHaveLength(1);
  await tell(testEnv(), await endAttempts(database.db, [...again, three!], 'answered'));
  await becomes(running, 'completed');
});

test('a worker that is stopped leaves everything to the next one', async () => {
  const batchId = await anUpload(2);
  const attempts = await queueOf(testEnv(), batchId, 2);
  await worker.stop();
  const ended = await endAttempts(database.db, attempts, 'answered');
  await tell(testEnv(), ended);

  worker = await aWorker();

  await becomes(batchId, 'completed');
  await expect(cancelBatch(testEnv(), batchId)).rejects.toThrow();
});

test('a worker of another database starts on no task queue that this one works on; any number of this one do', async () => {
  const other = await testDatabase();
  const stranger = openDatabase({ url: other.url, poolSize: 10, name: 'test' });
  const asked = () => livePollers(new Client({ connection }), 'default', 'outdial', 20_000);
  await until(async () => (await asked()).length > 0);
  await expect(aWorker(stranger)).rejects.toThrow(
    /A worker of another database \(\d+@.* of database \d+-\d+\) .* task queue outdial .*OUTDIAL_TASK_QUEUE/,
  );
  for (const started of [await aWorker(), await aWorker(stranger, 'of-another')]) await started.stop();
  await stranger.close();
  await other.close();
});
