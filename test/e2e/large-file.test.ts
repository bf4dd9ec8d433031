import { afterAll, beforeAll, expect, test } from 'vitest';
import { largest, startLargestBatch } from './large-batch.js';
import { peakMiB, runService, type Role, type RunningService } from './running-service.js';

let service: RunningService;

beforeAll(async () => {
  service = await runService({ speed: 1000 });
});
afterAll(async () => {
  await service.stop();
  service.removeData();
});

// shows: rows.many
test('a 5 MB file of 370,000 numbers is stored and starts calling, with every process of ours below 512 MB', async () => {
  const batchId = await startLargestBatch(service);

  const roles: readonly Role[] = ['api', 'worker', 'dialer', 'carrier'];
  const peaks = Object.fromEntries(roles.map((role) => [role, peakMiB(service.ready().pids[role])]));
  for (const role of roles)
    expect({ role, below512: peaks[role]! < 512 }, JSON.stringify(peaks)).toEqual({ role, below512: true });
  expect((await service.request('GET', `/v1/batch-calls/${batchId}/stats`)).body).toMatchObject({ total: largest });
});
