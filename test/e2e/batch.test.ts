import { afterAll, beforeAll, expect, test } from 'vitest';
import * as xlsx from 'xlsx';
import {
  batchIs,
  csv,
  numbersWithScript,
  setUp,
  until,
  webhookReceiver,
  type ReceivedWebhook,
} from './running-service.js';
import { sharedService, type SharedService } from './shared-service.js';

let service: SharedService;
let hooks: { url: string; received: ReceivedWebhook[]; close: () => void };
let phoneNumber: string;

beforeAll(async () => {
  service = await sharedService('Batches');
  ({ phoneNumber } = await setUp(service, '+15550100007'));
  hooks = await webhookReceiver(service);
});

afterAll(() => {
  hooks.close();
});

const create = async (numbers: readonly string[], fields: Record<string, unknown> = {}): Promise<string> => {
  const { status, body } = await service.createBatch(
    { name: 'people.csv', content: csv(numbers) },
    { name: 'Batch', phoneNumber, ...fields },
  );
  expect({ status, body }).toMatchObject({ status: 201, body: { status: 'parsing', recordsUploaded: 0 } });
  return String(body.batchId);
};
const records = async (batchId: string) =>
  (await service.request('GET', `/v1/batch-calls/${batchId}/records?perPage=100`)).body.data as Record<
    string,
    unknown
  >[];
const stats = async (batchId: string) => (await service.request('GET', `/v1/batch-calls/${batchId}/stats`)).body;
const cancel = (batchId: string, mode: string) =>
  service.request('POST', `/v1/batch-calls/${batchId}/cancel`, { mode });
const invitesTo = (numbers: readonly string[]) =>
  service.ledger().filter((line) => line.event === 'invite' && numbers.includes(String(line.to)));
/** As many seconds from now, as the API takes them, to the minute. */
const scheduleIn = (seconds: number) => {
  const [date, time] = new Date(Date.now() + seconds * 1000).toISOString().split('T');
  return { date, time: time?.slice(0, 5), timezone: 'UTC' };
};

// shows: batch.create.starts-itself
test('csv, xls and xlsx of the same people make the same calls', async () => {
  const rows = [
    ['phone_number', 'name', 'amount', 'due'],
    ['+15550011107', 'Zoë', 1234.5, new Date(Date.UTC(2026, 4, 1))],
    ['+15550011127', '', 0.1, new Date(Date.UTC(2026, 11, 31))],
  ];
  const text = 'phone_number,name,amount,due\n+15550011107,Zoë,1234.5,2026-05-01\n+15550011127,,0.1,2026-12-31\n';
  const workbook = xlsx.utils.book_new();
  xlsx.utils.book_append_sheet(workbook, xlsx.utils.aoa_to_sheet(rows, { UTC: true }), 'People');
  const files = {
    'a.csv': text,
    'a.xls': xlsx.write(workbook, { type: 'buffer', bookType: 'biff8' }) as Buffer,
    'a.xlsx': xlsx.write(workbook, { type: 'buffer', bookType: 'xlsx' }) as Buffer,
  };
  const seen = [];
  for (const [name, content] of Object.entries(files)) {
    const { body } = await service.createBatch({ name, content }, { name, phoneNumber });
    await batchIs(service, body.batchId, 'completed');
    seen.push(
      (await records(String(body.batchId)))
        .map(({ phoneNumber: to, metadata, status }) => ({ to, metadata, status }))
        .sort((a, b) => String(a.to).localeCompare(String(b.to))),
    );
  }
  expect(seen[0]).toHaveLength(2);
  expect(seen[1]).toEqual(seen[0]);
  expect(seen[2]).toEqual(seen[0]);
});

// shows: batch.webhook.body, webhooks.once
test('bad rows are listed with their reason and the good ones are called; both events arrive once and verify', async () => {
  const good = numbersWithScript(7, 5, 2_000);
  const { body } = await service.createBatch(
    {
      name: 'mixed.csv',
      content: csv(good, ['919876543210,No plus', '9.19877E+11,Excel', ',No number', '+1,Too short']),
    },
    {
      ...{ name: 'Mixed', phoneNumber },
      webhook: { endpoint: hooks.url, events: ['batchcall-started', 'batchcall-completed'] },
    },
  );
  const batch = await batchIs(service, body.batchId, 'completed');
  expect(batch).toMatchObject({ recordsUploaded: 5, recordsRejected: 4, simulated: true, progress: 100 });
  const rejected = (await service.request('GET', `/v1/batch-calls/${String(body.batchId)}/rejected-rows`)).body
    .data as {
    row: number;
    reason: string;
  }[];
  expect(rejected.map(({ row, reason }) => [row, reason]).sort()).toEqual(
    [
      [7, 'missing_plus'],
      [8, 'excel_number'],
      [9, 'missing_number'],
      [10, 'invalid_number'],
    ].sort(),
  );
  const mine = () => hooks.received.filter((hook) => hook.body.batchId === body.batchId);
  await until(() => mine().length === 2);
  expect(mine().map((hook) => [hook.body.event, hook.body.status, hook.body.recordsUploaded])).toEqual([
    ['batchcall-started', 'running', 5],
    ['batchcall-completed', 'completed', 5],
  ]);
});

// shows: batch.state.parse-failed
test('a file without a number that can be called ends parse_failed, says why, and tells the webhook', async () => {
  const { body } = await service.createBatch(
    { name: 'wrong.csv', content: 'Phone Number,name\n+15550012345,A\n' },
    { name: 'Wrong', phoneNumber, webhook: { endpoint: hooks.url, events: ['batchcall-completed'] } },
  );
  const batch = await batchIs(service, body.batchId, 'parse_failed');
  expect(batch.parseError).toContain('rename it to phone_number');
  await until(() =>
    hooks.received.some((hook) => hook.body.batchId === body.batchId && hook.body.status === 'parse_failed'),
  );
});

// shows: batch.state.completed
test('retries come after their delay and not before, and stop after the last one', async () => {
  const busyOnce = '+15550077711';
  const busy = '+15550077721';
  const batchId = await create([busyOnce, busy], { retry: { retryOn: ['rejected'], retryDelays: [2, 4] } });
  await batchIs(service, batchId, 'completed');

  const invites = service.ledger().filter((line) => line.event === 'invite') as unknown as {
    to: string;
    at: string;
  }[];
  const timesOf = (number: string) => invites.filter((line) => line.to === number).map((line) => Date.parse(line.at));
  expect(timesOf(busyOnce)).toHaveLength(2);
  const [first, second, third] = timesOf(busy);
  expect(timesOf(busy)).toHaveLength(3);
  expect(second! - first!).toBeGreaterThanOrEqual(2000);
  expect(third! - second!).toBeGreaterThanOrEqual(4000);
  expect(await stats(batchId)).toMatchObject({ answered: 1, rejected: 1, total: 2, attempts: 5 });
});

test('cancelling while retries wait drops them: cancelled, and no call is made again', async () => {
  const numbers = numbersWithScript(1, 5, 3_000);
  const batchId = await create(numbers, { retry: { retryOn: ['rejected'], retryDelays: [600] } });
  await until(async () => (await stats(batchId)).retrying === 5);
  expect((await cancel(batchId, 'graceful')).status).toBe(202);
  await batchIs(service, batchId, 'cancelled');
  expect(await stats(batchId)).toMatchObject({ total: 5, cancelled: 5, retrying: 0 });
  expect(invitesTo(numbers)).toHaveLength(5);
  expect((await cancel(batchId, 'graceful')).status).toBe(409);
});

// shows: batch.state.scheduled
test('a scheduled batch waits, can be cancelled before it starts, and then makes no call', async () => {
  const numbers = numbersWithScript(7, 3, 6_000);
  const batchId = await create(numbers, { schedule: scheduleIn(3600) });
  const batch = await batchIs(service, batchId, 'scheduled');
  expect(batch).toMatchObject({ timing: 'scheduled', timezone: 'UTC', recordsUploaded: 3 });
  await cancel(batchId, 'graceful');
  await batchIs(service, batchId, 'cancelled');
  expect(invitesTo(numbers)).toEqual([]);
});

// shows: batches.pause
test('a paused batch dials no new call and goes on when resumed', async () => {
  // Phones that ring until they are given up: the batch lasts long enough to be paused in the middle.
  const numbers = numbersWithScript(3, 8, 7_000);
  const batchId = await create(numbers, { maxConcurrentCalls: 2 });
  await until(() => invitesTo(numbers).length > 0);
  const paused = await service.request('POST', `/v1/batch-calls/${batchId}/pause`);
  expect(paused).toMatchObject({ status: 200, body: { status: 'running', paused: true } });
  // What has passed the gate by now may still be on its way to the carrier's log.
  const waitingByThen = Number((await stats(batchId)).pending);
  expect(waitingByThen).toBeGreaterThan(0);
  await until(async () => {
    const { dialing, 'in-progress': talking } = await stats(batchId);
    return Number(dialing) + Number(talking) === 0;
  });
  const { pending } = await stats(batchId);
  expect(pending).toBeGreaterThanOrEqual(waitingByThen);
  expect(invitesTo(numbers)).toHaveLength(numbers.length - Number(pending));
  await service.request('POST', `/v1/batch-calls/${batchId}/resume`);
  await batchIs(service, batchId, 'completed');
  expect(invitesTo(numbers)).toHaveLength(numbers.length);
});

// shows: calls.timelog
test('a single call is dialed, and its log shows each state in order', async () => {
  const { status, body } = await service.request('POST', '/v2/sip/call', {
    ...{ sipCallTo: '+15550088807', sipCallFrom: phoneNumber, metadata: { order: '7' } },
  });
  expect(status).toBe(201);
  const call = body.data as Record<string, unknown>;
  expect(call).toMatchObject({ status: 'initiated', type: 'outbound', to: '+15550088807', metadata: { order: '7' } });
  let latest: Record<string, unknown> = {};
  await until(async () => {
    latest = (await service.request('GET', `/v2/sip/call/${String(call.id)}`)).body.data as Record<string, unknown>;
    return latest.status === 'ended';
  });
  expect((latest.timelog as { status: string }[]).map((entry) => entry.status)).toEqual([
    'initiated',
    'ringing',
    'answered',
    'ended',
  ]);
  expect(latest).toMatchObject({ simulated: true, sipStatusCode: 200, answeredBy: 'human' });
});
