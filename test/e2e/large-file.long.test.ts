import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  batchIs,
  mostOfLongMs,
  peakMiB,
  runService,
  setUp,
  until,
  type Role,
  type RunningService,
} from './running-service.js';

/** As many numbers as a file of 5 MB can hold. */
const largest = 370_000;

let service: RunningService;

beforeAll(async () => {
  service = await runService({ speed: 1000 });
});
afterAll(async () => {
  await service.stop();
  service.removeData();
});

// How such a file is read is in test/unit/contacts/large-file.test.ts, how thousands are cancelled in
// test/workflow/batch-cancel.test.ts.
// shows: rows.many
test('a 5 MB file of 370,000 numbers is stored and starts calling, with every process of ours below 300 MiB, and is cancelled to the last of them', async () => {
  const { phoneNumber } = await setUp(service);
  const numbers = Array.from({ length: largest }, (_, i) => `+1555${String(1_000_000 + i)}`);
  const content = ['phone_number', ...numbers].join('\n');
  expect(Buffer.byteLength(content)).toBeLessThanOrEqual(5_242_880);
  const created = await service.createBatch({ name: 'large.csv', content }, { name: 'Large', phoneNumber });
  expect(created.status).toBe(201);
  const batchId = String(created.body.batchId);

  const running = await batchIs(service, batchId, 'running', mostOfLongMs);
  expect(running.recordsUploaded).toBe(largest);
  await until(() => service.ledger().filter((line) => line.event === 'invite').length >= 300);
  const roles: readonly Role[] = ['api', 'worker', 'dialer', 'carrier'];
  const peaks = Object.fromEntries(roles.map((role) => [role, peakMiB(service.ready().pids[role])]));
  const tooLarge = roles.filter((role) => peaks[role]! >= 300);
  expect(tooLarge, JSON.stringify(peaks)).toEqual([]);

  const stats = async () => (await service.request('GET', `/v1/batch-calls/${batchId}/stats`)).body;
  expect(await stats()).toMatchObject({ total: largest });
  await service.request('POST', `/v1/batch-calls/${batchId}/cancel`, { mode: 'immediate' });
  await batchIs(service, batchId, 'cancelled', mostOfLongMs);
  expect(await stats()).toMatchObject({ total: largest, pending: 0 });
});
