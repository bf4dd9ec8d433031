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
test('a 5 MB file of 370,000 numbers is stored and starts calling, with every process of ours below 300 MiB', async () => {
  const batchId = await startLargestBatch(service);

  const roles: readonly Role[] = ['api', 'worker', 'dialer', 'carrier'];
  const peaks = Object.fromEntries(roles.map((role) => [role, peakMiB(service.ready().pids[role])]));
  const tooLarge = roles.filter((role) => peaks[role]! >= 300);
  expect(tooLarge, JSON.stringify(peaks)).toEqual([]);
  expect((await service.request('GET', `/v1/batch-calls/${batchId}/stats`)).body).toMatchObject({ total: largest });
});
