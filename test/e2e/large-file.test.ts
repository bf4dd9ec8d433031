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
test('a 5 MB file of 370,000 numbers is stored and starts calling, with api, worker and dialer below 300 MiB each', async () => {
  const batchId = await startLargestBatch(service);

  const roles: readonly Role[] = ['api', 'worker', 'dialer'];
  const peaks = Object.fromEntries(roles.map((role) => [role, peakMiB(service.ready().pids[role])]));
  for (const role of roles)
    expect({ role, below300: peaks[role]! < 300 }, JSON.stringify(peaks)).toEqual({ role, below300: true });
  expect((await service.request('GET', `/v1/batch-calls/${batchId}/stats`)).body).toMatchObject({ total: largest });
});
