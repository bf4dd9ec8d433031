import { afterAll, beforeAll, expect, test } from 'vitest';
import { largest, startLargestBatch } from './large-batch.js';
import { batchIs, runService, type RunningService } from './running-service.js';

let service: RunningService;

beforeAll(async () => {
  service = await runService({ speed: 1000 });
});
afterAll(async () => {
  await service.stop();
  service.removeData();
});

// The same with thousands is in test/workflow/batch-cancel.test.ts.
test('a batch of 370,000 numbers is cancelled to the last of them', async () => {
  const batchId = await startLargestBatch(service);
  await service.request('POST', `/v1/batch-calls/${batchId}/cancel`, { mode: 'immediate' });
  await batchIs(service, batchId, 'cancelled');
  expect((await service.request('GET', `/v1/batch-calls/${batchId}/stats`)).body).toMatchObject({
    total: largest,
    pending: 0,
  });
});
