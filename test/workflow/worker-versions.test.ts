import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { compareStores } from '../../activities/watchdog.js';
import { openTemporal } from '../../cli/roles/temporal.js';
import { readEnv } from '../../platform/env.js';
import { createStrandedVersions } from '../../worker/stranded-versions.js';
import { createWatchdogSchedule } from '../../worker/temporal-setup.js';
import { createWorkerVersions, type WorkerVersions } from '../../worker/worker-versions.js';
import { deploymentOf } from '../../domain/workflow/task-queues.js';
import { versionTroubles } from '../../domain/workflow/worker-versions.js';
import { outdialHere } from '../integration/cli/commands.js';
import { temporalAddress } from '../setup/temporal.js';
import { type Link, openLink } from '../soak/link.js';
import { queueOf, statusOf, tell } from './batch-row.js';
import { aBatch, aTenant, csvOf, type Tenant } from './fixtures.js';
import { endAttempts, queuedAttempts } from './play-dialer.js';
import { quietLogger, realTimeTestEnv, type WorkflowTestEnv } from './test-env.js';

/*
 * Versions of workers on a real Temporal. Every test goes on where the one before it has left the versions.
 */
let testEnv: WorkflowTestEnv;
let versions: WorkerVersions;
let tenant: Tenant;
const stopOf = new Map<string, () => Promise<void>>();
beforeAll(async () => {
  testEnv = await realTimeTestEnv();
  versions = createWorkerVersions(testEnv.client, 'default', testEnv.taskQueue);
});
afterAll(() => testEnv.close());
beforeEach(async () => {
  tenant = await aTenant(testEnv.database.db);
});

/** A batch whose first attempts are in the queue. */
async function aRunningBatch(size = 2) {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(size));
  await testEnv.workflows.start('batchCall', batchId, { accountId: tenant.accountId, batchId });
  const queued = await queueOf(testEnv, batchId, size);
  return { batchId, queued };
}

/** The first is called again after a second and then answers, as the rest do at once. @returns when the batch is over */
async function callEverybody(batchId: string): Promise<void> {
  const { db } = testEnv.database;
  const [first, ...others] = await queuedAttempts(db, batchId);
  await tell(testEnv, await endAttempts(db, [first!], 'missed', 1));
  await tell(testEnv, await endAttempts(db, others, 'answered'));
  const [again] = await queueOf(testEnv, batchId, 1);
  expect(again).toMatchObject({ callId: first!.callId, attempt: 2 });
  await tell(testEnv, await endAttempts(db, [again!], 'answered'));
  await testEnv.until(async () => (await statusOf(testEnv.database, batchId)) === 'completed');
}

/** How often each recipient of a batch was dialed. */
async function dialsOf(batchId: string): Promise<number[]> {
  const { rows } = await testEnv.database.pool.query<{ dials: number }>(
    `select sum(a.invite)::integer as dials from call_attempts a join calls c on c.id = a.call_id
     where c.batch_id = $1 group by c.id order by c.position`,
    [batchId],
  );
  return rows.map(({ dials }) => dials);
}

/** The versions that carried a workflow: the one it ended on, or is on. undefined: a worker without one. */
async function versionOf(workflowId: string): Promise<string | undefined> {
  const { raw } = await testEnv.client.workflow.getHandle(workflowId).describe();
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? undefined;
}

const seen = async (buildId: string | null) => (await versions.list()).find((version) => version.buildId === buildId);

async function startVersion(buildId: string): Promise<void> {
  stopOf.set(buildId, await testEnv.addWorker(buildId));
  await testEnv.until(async () => (await seen(buildId))?.hasWorker === true);
}

test('workers without a version are in no list of versions', async () => {
  expect(await versions.list()).toEqual([]);
});

test('whether any worker runs is known without versions, too', async () => {
  await testEnv.until(() => versions.hasWorker());
  expect(await createWorkerVersions(testEnv.client, 'default', `unused-${randomUUID()}`).hasWorker()).toBe(false);
});

test('the first version takes over the batches of workers without one, and nobody is lost', async () => {
  const before = await aRunningBatch();
  await startVersion('1.0.0');
  expect(versionTroubles(await versions.list())).toEqual([
    'Workers of version 1.0.0 run and take no work: workers without a version take it. ' +
      'outdial worker-version use 1.0.0 makes it current.',
  ]);

  await versions.makeCurrent('1.0.0');
  await testEnv.stopWorker();
  await callEverybody(before.batchId);

  expect(await versionOf(before.batchId)).toBe('1.0.0');
  expect(await dialsOf(before.batchId)).toEqual([2, 1]);
});

test('a batch ends on the version that began it, new ones begin on the new version, and going back works', async () => {
  const old = await aRunningBatch();
  await startVersion('1.1.0');
  await versions.makeCurrent('1.1.0');
  const young = await aRunningBatch();
  expect(await seen('1.0.0')).toMatchObject({ role: null, hasWorker: true, mayEnd: false });
  await testEnv.until(async () => (await seen('1.0.0'))?.pinned === 3); // a batch, and a workflow for each of its two calls

  await versions.makeCurrent('1.0.0');
  const back = await aRunningBatch();
  for (const { batchId } of [old, young, back]) await callEverybody(batchId);

  expect(await Promise.all([old, young, back].map(({ batchId }) => versionOf(batchId)))).toEqual([
    ...['1.0.0', '1.1.0', '1.0.0'],
  ]);
  expect(await versionOf(`${young.batchId}/calls-1`)).toBe('1.1.0');
  for (const { batchId } of [old, young, back]) expect(await dialsOf(batchId)).toEqual([2, 1]);
  await testEnv.until(async () => (await seen('1.1.0'))?.pinned === 0);
});

test('a part of the new batches begins on a ramping version, and what is made current ends the ramp', async () => {
  await versions.ramp('1.1.0', 100);
  expect(await seen('1.1.0')).toMatchObject({ role: 'ramping', rampPercent: 100 });
  const { batchId } = await aRunningBatch();
  await callEverybody(batchId);
  expect(await versionOf(batchId)).toBe('1.1.0');

  await versions.makeCurrent('1.0.0');

  expect(await seen('1.1.0')).toMatchObject({ role: null, rampPercent: null });
  expect(await seen('1.0.0')).toMatchObject({ role: 'current' });
});

test('a version is made current once its workers ask for work of every queue, and not before', async () => {
  let askForAll = (): void => undefined;
  const others = new Promise<void>((resolve) => {
    askForAll = resolve;
  });
  const stop = await testEnv.addWorker('1.0.5', others);
  await testEnv.until(async () => (await seen('1.0.5'))?.hasWorker === true);
  const current = versions.makeCurrent('1.0.5');
  const names = { namespace: 'default', deploymentName: deploymentOf(testEnv.taskQueue), buildId: '1.0.5' };
  await expect(
    testEnv.client.connection.workflowService.setWorkerDeploymentCurrentVersion(names),
  ).rejects.toMatchObject({ code: 9 });
  expect(await seen('1.0.5')).toMatchObject({ role: null });

  askForAll();
  await current;
  expect(await seen('1.0.5')).toMatchObject({ role: 'current' });

  await versions.makeCurrent('1.0.0');
  await stop();
});

test('a batch whose version has no worker is named, and begins again on the current version', async () => {
  const { db } = testEnv.database;
  const { batchId, queued } = await aRunningBatch(3);
  await versions.makeCurrent('1.1.0');
  await stopOf.get('1.0.0')?.();
  const warned: unknown[] = [];
  const logger = pino(
    { level: 'warn' },
    { write: (line) => void warned.push((JSON.parse(line) as { msg: string }).msg) },
  );
  // Temporal forgets a worker that was ended after minutes.
  const forgetful = {
    ...versions,
    list: async () =>
      (await versions.list()).map((version) =>
        version.buildId === '1.0.0' ? { ...version, hasWorker: false } : version,
      ),
  };
  await testEnv.until(async () => (await seen('1.0.0'))?.pinned === 4);
  expect(await versions.batchesOn('1.0.0')).toEqual([batchId]);
  // One ends while nobody carries its workflow: the next is told by Postgres alone.
  await endAttempts(db, [queued[0]!], 'answered');
  const stranded = createStrandedVersions(forgetful, logger, 0);
  const round = () =>
    compareStores({
      ...{ database: testEnv.database, workflows: testEnv.workflows, logger: quietLogger },
      ...{ kickOutbox: () => undefined, strandedVersions: stranded },
    });
  await createWatchdogSchedule(testEnv.client, testEnv.taskQueue);

  await round();

  expect(warned).toContain(
    '4 workflows of batches and calls are pinned to version 1.0.0, and no worker of it runs: retries and ends wait. ' +
      'Start its workers again, or have the others take over: outdial worker-version retire 1.0.0.',
  );
  for (const workflowId of [batchId, `${batchId}/calls-2`, `${batchId}/calls-3`]) {
    await testEnv.until(async () => (await versionOf(workflowId)) === '1.1.0');
  }
  expect(await queuedAttempts(db, batchId)).toEqual(queued.slice(1));
  await callEverybody(batchId);
  expect((await dialsOf(batchId)).sort()).toEqual([1, 1, 2]);
});

test('versions are switched off: batches begin on workers without one, and what is pinned ends where it is', async () => {
  const pinned = await aRunningBatch();
  await testEnv.addWorker(undefined);
  await versions.makeCurrent(null);
  const young = await aRunningBatch();

  for (const { batchId } of [pinned, young]) await callEverybody(batchId);

  expect(await versionOf(pinned.batchId)).toBe('1.1.0');
  expect(await versionOf(young.batchId)).toBeUndefined();
  for (const { batchId } of [pinned, young]) expect(await dialsOf(batchId)).toEqual([2, 1]);
});

/** A way to Temporal that can be held up. */
async function byLink(use: (link: Link, connection: Connection) => Promise<void>): Promise<void> {
  const server = new URL(`http://${await temporalAddress()}`);
  const link = await openLink('temporal', Number(server.port));
  const connection = await Connection.connect({ address: `127.0.0.1:${link.port}` });
  try {
    await use(link, connection);
  } finally {
    await connection.close();
    await link.close();
  }
}

test('an order that Temporal answers late is carried out', async () => {
  await byLink(async (link, connection) => {
    const slow = createWorkerVersions(new Client({ connection }), 'default', testEnv.taskQueue);
    expect((await slow.list()).find(({ role }) => role === 'current')?.buildId).toBeNull();
    link.hold(7_000);
    await slow.makeCurrent('1.1.0');
  });
  expect(await seen('1.1.0')).toMatchObject({ role: 'current' });
});

test('`worker-version list` waits for a Temporal that answers late', async () => {
  await byLink(async (link) => {
    const settings = { TEMPORAL_ADDRESS: `127.0.0.1:${link.port}`, OUTDIAL_TASK_QUEUE: testEnv.taskQueue };
    link.hold(7_000);
    const { code, stdout, stderr } = await outdialHere(['worker-version', 'list'], settings);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('version 1.1.0 of the workers: current');
  });
});

test('a Temporal that answers too late is named with the time that it had and with what to do, not by the code of gRPC', async () => {
  await byLink(async (link) => {
    const env = { TEMPORAL_ADDRESS: `127.0.0.1:${link.port}`, OUTDIAL_TASK_QUEUE: testEnv.taskQueue };
    const temporal = openTemporal(readEnv(env), 1_000);
    await temporal.workerVersions.list();
    link.hold(3_000);
    const error = await temporal.workerVersions.list().catch((late: unknown) => temporal.inWords(late));
    await temporal.close();
    expect(error).toMatchObject({
      message:
        `Temporal at ${env.TEMPORAL_ADDRESS} cannot be asked: it does not answer within 1 s. ` +
        'See that it runs and has not too much to do, and that TEMPORAL_ADDRESS names it; then try again.',
    });
  });
});

test('a namespace that Temporal does not have is named, with the command that makes it', async () => {
  const { host } = new URL(`http://${await temporalAddress()}`);
  const temporal = openTemporal(readEnv({ TEMPORAL_ADDRESS: host, TEMPORAL_NAMESPACE: 'calls' }), 10_000);
  const trouble = await temporal.whyNot();
  await temporal.close();
  expect(trouble?.message).toMatch(/calls/);
  expect(trouble?.remedy).toContain('`temporal operator namespace create --namespace calls`');
});
