import { afterAll, beforeAll, expect, test } from 'vitest';
import { batchIs, peakMiB, runService, setUp, until, type Role, type RunningService } from './running-service.js';

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
  const { phoneNumber } = await setUp(service);
  const numbers = Array.from({ length: 370_000 }, (_, i) => `+1555${String(1_000_000 + i)}`);
  const content = ['phone_number', ...numbers].join('\n');
  expect(Buffer.byteLength(content)).toBeLessThanOrEqual(5_242_880);
  const { status, body } = await service.createBatch({ name: 'large.csv', content }, { name: 'Large', phoneNumber });
  expect(status).toBe(201);

  const running = await batchIs(service, body.batchId, 'running');
  expect(running.recordsUploaded).toBe(370_000);
  await until(() => service.ledger().filter((line) => line.event === 'invite').length >= 300);

  const roles: readonly Role[] = ['api', 'worker', 'dialer', 'carrier'];
  const peaks = Object.fromEntries(roles.map((role) => [role, peakMiB(service.ready().pids[role])]));
  for (const role of roles)
    expect({ role, below512: peaks[role]! < 512 }, JSON.stringify(peaks)).toEqual({ role, below512: true });

  await service.request('POST', `/v1/batch-calls/${String(body.batchId)}/cancel`, { mode: 'immediate' });
  await batchIs(service, body.batchId, 'cancelled');
  expect((await service.request('GET', `/v1/batch-calls/${String(body.batchId)}/stats`)).body).toMatchObject({
    total: 370_000,
    pending: 0,
  });
});
