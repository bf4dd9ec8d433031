import { expect, test } from 'vitest';
import type { WorkersNow, WorkerVersion } from '../../../domain/workflow/worker-versions.js';
import { aBatch } from '../batch-calls/support.js';
import { anAccount, anotherApp, api } from '../support.js';

const version = (buildId: string, fields: Partial<WorkerVersion> = {}): WorkerVersion => ({
  ...{ buildId, role: null, rampPercent: null, hasWorker: true, pinned: 0, isNew: false, mayEnd: false },
  ...fields,
});

/** An api whose workers are these, and whose batches are pinned to a version that is gone. */
const appWith = (strandedBatches: WorkersNow['strandedBatches']) => {
  const versions = [version('1.0.0', { hasWorker: false, pinned: 7 }), version('1.1.0', { role: 'current' })];
  return anotherApp({
    temporal: {
      kick: () => undefined,
      isReachable: () => Promise.resolve(true),
      workers: () => ({ missing: null, versions, strandedBatches }),
    },
  });
};

// shows: health.ready
test('readiness names the versions of the workers and what waits for one that is gone, and is ready all the same', async () => {
  const ready = await api.get('/readyz', { app: await appWith(new Map()), token: null });
  expect(ready).toMatchObject({ status: 200 });
  expect(ready.body).toEqual({
    status: 'ready',
    checks: { postgres: true, migrations: true, temporal: true },
    workerVersions: [
      { buildId: '1.0.0', state: 'draining', hasWorker: false, pinned: 7 },
      { buildId: '1.1.0', state: 'current', hasWorker: true, pinned: 0 },
    ],
    warnings: [expect.stringContaining('outdial worker-version retire 1.0.0')],
  });
});

// shows: overview.get
test('a batch that no worker carries on says which version it waits for; the overview counts those of the account alone', async () => {
  const running = await aBatch({ status: 'running' });
  const paused = await aBatch({ status: 'running', paused: 'paused_by_user', counts: { pending: 2 } });
  const other = await aBatch({ status: 'running' });
  const over = await aBatch({ status: 'completed' });
  const pinned = [running, paused, over].map(({ batchId }) => [batchId, '1.0.0'] as const);
  const app = await appWith(new Map([...pinned, ['batch_of_somebody_else', '1.0.0']]));
  const waitingFor = async ({ batchId }: { batchId: string }) => {
    const { body } = await api.get(`/v1/batch-calls/${batchId}`, { app });
    return (body as { waitingFor: string }).waitingFor;
  };
  const sentence =
    'It waits for a worker of version 1.0.0, which no longer runs: calls in the queue are dialed, retries and its end wait.';
  expect(await waitingFor(running)).toBe(sentence);
  expect(await waitingFor(paused)).toMatch(/^2 wait because the batch call is paused\. It waits for a worker/);
  expect(await waitingFor(other)).toBe('No call waits.');
  expect(await waitingFor(over)).toBe('No call waits.');
  const { body } = await api.get('/v1/batch-calls', { app });
  const { data } = body as { data: { batchId: string; waitingFor: string }[] };
  expect(data.find(({ batchId }) => batchId === running.batchId)?.waitingFor).toBe(sentence);

  const versionsFor = async (token?: string) => {
    const overview = await api.get('/v1/overview', { app, ...(token === undefined ? {} : { token }) });
    return (overview.body as { workerVersions: unknown }).workerVersions;
  };
  expect(await versionsFor()).toEqual([
    { buildId: '1.0.0', state: 'draining', hasWorker: false, waitingBatches: 2 },
    { buildId: '1.1.0', state: 'current', hasWorker: true, waitingBatches: 0 },
  ]);
  expect(await versionsFor((await anAccount()).token)).toMatchObject([{ waitingBatches: 0 }, { waitingBatches: 0 }]);
});
