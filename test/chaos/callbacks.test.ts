import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  batchIs,
  csv,
  numbersWithScript,
  runService,
  setUp,
  until,
  type RunningService,
} from '../e2e/running-service.js';

let service: RunningService;
let phoneNumber: string;
const callees = numbersWithScript(0, 12, 70_000);

beforeAll(async () => {
  // Slow enough that calls are live when they are promised another.
  service = await runService({ speed: 5 });
  ({ phoneNumber } = await setUp(service));
});
afterAll(async () => {
  await service.stop();
  service.removeData();
});

const invites = () =>
  service.ledger().filter(({ event, to }) => event === 'invite' && to !== undefined && callees.includes(to));

async function kill(role: 'dialer' | 'worker'): Promise<void> {
  const before = service.ready().pids[role];
  service.signal(role, 'SIGKILL');
  await until(() => service.ready().pids[role] !== before);
}

// shows: recipients.callback
test('kill -9 of dialer and worker while callees are promised another call: each is called back once, and not before', async () => {
  const created = await service.createBatch(
    { name: 'people.csv', content: csv(callees) },
    { name: 'Callbacks', phoneNumber },
  );
  const records = `/v1/batch-calls/${String(created.body.batchId)}/records`;
  await until(() => invites().length === callees.length);
  const { body } = await service.request('GET', `${records}?limit=100`);
  const ids = (body.data as { recordId: string }[]).map(({ recordId }) => recordId);
  expect(ids).toHaveLength(callees.length);
  const at = new Date(Date.now() + 25_000);
  const promise = async (id: string) =>
    (await service.request('POST', `${records}/${id}/callback`, { at: at.toISOString() })).status;
  // Each is promised while a process dies, and once more, as by a client that has lost the answer.
  for (const [half, role] of [
    [ids.slice(0, 6), 'dialer'],
    [ids.slice(6), 'worker'],
  ] as const) {
    const dead = kill(role);
    expect(await Promise.all(half.map(promise))).toEqual(half.map(() => 200));
    await dead;
    expect(await Promise.all(half.map(promise))).toEqual(half.map(() => 200));
  }
  // And when the time has come
  await until(() => invites().length > callees.length);
  await Promise.all([kill('dialer'), kill('worker')]);

  await batchIs(service, created.body.batchId, 'completed');
  for (const callee of callees) {
    const made = invites().filter(({ to }) => to === callee) as unknown as { attempt: number; at: string }[];
    expect({ callee, attempts: made.map(({ attempt }) => attempt) }).toEqual({ callee, attempts: [1, 2] });
    expect(Date.parse(made[1]!.at)).toBeGreaterThanOrEqual(at.getTime());
  }
  expect((await service.stats()).violations).toEqual({ calls_per_second: 0, channels: 0, repeated: 0 });
});
