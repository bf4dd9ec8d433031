import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  anotherDialer,
  batchIs,
  csv,
  numbersWithScript,
  runService,
  setUp,
  until,
  webhookReceiver,
  type ReceivedWebhook,
  type Role,
  type RunningService,
} from '../e2e/running-service.js';

const minutes = 60_000;
let service: RunningService;
let hooks: { url: string; received: ReceivedWebhook[]; close: () => void };
let phoneNumber: string;

beforeEach(async () => {
  // Slow enough that calls are ringing and talking whenever something dies.
  service = await runService({ speed: 20 });
  ({ phoneNumber } = await setUp(service));
  hooks = await webhookReceiver(service);
}, 2 * minutes);

afterEach(async () => {
  hooks.close();
  await service.stop();
  service.removeData();
}, minutes);

/** 300 callees: they answer, are busy, decline, do not respond to the first try, and half of the busy ones answer later. */
const callees = [
  ...numbersWithScript(0, 120, 10_000),
  ...numbersWithScript(7, 60, 20_000),
  ...numbersWithScript(1, 60, 30_000),
  ...numbersWithScript(4, 30, 40_000),
  ...Array.from({ length: 30 }, (_, i) => `+1555${50_000 + i}11`),
];

async function startBatch(): Promise<string> {
  const created = await service.createBatch(
    { name: 'people.csv', content: csv(callees) },
    {
      name: 'Chaos',
      phoneNumber,
      retry: { retryOn: ['rejected'], retryDelays: [2] },
      webhook: { endpoint: hooks.url, events: ['batchcall-started', 'batchcall-completed'] },
    },
  );
  expect(created.status).toBe(201);
  return String(created.body.batchId);
}

const invites = () => service.ledger().filter((line) => line.event === 'invite');
const dialed = (count: number) => until(() => invites().length >= count);

/** What must hold whatever died: nobody twice for one attempt, nobody lost, nobody beyond the plan, one terminal event. */
async function nobodyWasWronged(batchId: string): Promise<void> {
  const batch = await batchIs(service, batchId, 'completed');
  expect(batch.recordsUploaded).toBe(callees.length);

  const perAttempt = new Map<string, number>();
  const attemptsOf = new Map<string, Set<number>>();
  for (const { to, callId, attempt } of invites()) {
    const key = `${callId}/${attempt}`;
    perAttempt.set(key, (perAttempt.get(key) ?? 0) + 1);
    attemptsOf.set(String(to), (attemptsOf.get(String(to)) ?? new Set()).add(Number(attempt)));
  }
  expect([...perAttempt].filter(([, count]) => count > 1)).toEqual([]);
  expect(callees.filter((number) => !attemptsOf.has(number))).toEqual([]);
  const busy = new Set([...numbersWithScript(1, 60, 30_000), ...callees.filter((number) => number.endsWith('11'))]);
  for (const [number, attempts] of attemptsOf) expect([...attempts].sort()).toEqual(busy.has(number) ? [1, 2] : [1]);

  const { body: stats } = await service.request('GET', `/v1/batch-calls/${batchId}/stats`);
  expect(stats).toMatchObject({
    total: 300,
    answered: 210,
    rejected: 60,
    missed: 30,
    pending: 0,
    dialing: 0,
    retrying: 0,
  });
  expect((await service.stats()).violations).toEqual({ calls_per_second: 0, channels: 0, repeated: 0 });
  await until(() => hooks.received.some(({ body }) => body.event === 'batchcall-completed'));
  const ids = new Map(hooks.received.map(({ id, body }) => [id, body.event]));
  expect([...ids.values()].sort()).toEqual(['batchcall-completed', 'batchcall-started']);
}

test(
  'kill -9 of dialer, worker and api in the middle of a batch: no attempt is dialed twice and nobody is lost',
  async () => {
    const batchId = await startBatch();
    const deaths: readonly [afterInvites: number, Role][] = [
      [20, 'dialer'],
      [70, 'worker'],
      [120, 'api'],
      [170, 'dialer'],
      [220, 'worker'],
      [260, 'dialer'],
    ];
    for (const [afterInvites, role] of deaths) {
      await dialed(afterInvites);
      const before = service.ready().pids[role];
      service.signal(role, 'SIGKILL');
      await until(() => service.ready().pids[role] !== before);
    }
    await nobodyWasWronged(batchId);
  },
  5 * minutes,
);

test(
  'a dialer that is stopped past its lease and wakes up again dials nothing that another has taken over',
  async () => {
    const batchId = await startBatch();
    const second = anotherDialer(service);
    try {
      await dialed(40);
      const invitesBefore = invites().length;
      service.signal('dialer', 'SIGSTOP');
      // The lease is over when the second dialer goes on with what the first one had claimed and held.
      await dialed(invitesBefore + 100);
      await until(() => invites().length >= 280);
      service.signal('dialer', 'SIGCONT');
      await nobodyWasWronged(batchId);
    } finally {
      second.kill('SIGTERM');
    }
  },
  5 * minutes,
);

test(
  'C1: a lone dialer that is stopped past its lease and wakes up again dials nothing twice and loses nobody',
  async () => {
    const batchId = await startBatch();
    const stateOf = () => readFileSync(`/proc/${service.ready().pids.dialer}/stat`, 'utf8').split(' ')[2];
    for (const afterInvites of [40, 120]) {
      await dialed(afterInvites);
      const { pids } = service.ready();
      service.signal('dialer', 'SIGSTOP');
      await until(() => stateOf() === 'T');
      // Its lease of 15 s runs out while what it has claimed, and its ringing legs, wait for it.
      const stoppedMs = performance.now();
      await until(() => performance.now() - stoppedMs > 17_000);
      service.signal('dialer', 'SIGCONT');
      expect(service.ready().pids.dialer).toBe(pids.dialer);
    }
    await nobodyWasWronged(batchId);
  },
  5 * minutes,
);

test(
  'Temporal’s database deleted in the middle of a batch: everything is built again from Postgres',
  async () => {
    const batchId = await startBatch();
    await dialed(60);
    const before = service.ready().pids.temporal;
    const folder = join(service.folder, 'temporal');
    service.signal('temporal', 'SIGKILL');
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true });
    await until(() => service.ready().pids.temporal !== before);
    await nobodyWasWronged(batchId);
  },
  5 * minutes,
);
