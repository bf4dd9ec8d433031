import { afterAll, beforeAll, expect } from 'vitest';
import {
  batchIs,
  csv,
  numbersWithScript,
  runService,
  setUp,
  until,
  webhookReceiver,
  type ReceivedWebhook,
  type RunningService,
} from '../e2e/running-service.js';

/** The service of the file's tests, which attack it one after the other, each with a batch of its own. */
export let service: RunningService;
let hooks: { url: string; received: ReceivedWebhook[]; close: () => void };
let phoneNumber: string;
/** INVITEs of the batches before. */
let invitesBefore = 0;

export function useService(): void {
  beforeAll(async () => {
    // Slow enough that calls are ringing and talking whenever something dies. Small batches have a workflow for each call, which
    // takes twice the processor time; callbacks.test.ts kills the worker of those.
    service = await runService({ speed: 20, env: { OUTDIAL_CALLS_PER_WORKFLOW: '100' } });
    ({ phoneNumber } = await setUp(service));
    hooks = await webhookReceiver(service);
  });

  afterAll(async () => {
    hooks.close();
    await service.stop();
    service.removeData();
  });
}

/** The number that batches call from. */
export const calling = (): string => phoneNumber;

/** 300 callees: they answer, are busy, decline, do not respond to the first try, and half of the busy ones answer later. */
const callees = [
  ...numbersWithScript(0, 120, 10_000),
  ...numbersWithScript(7, 60, 20_000),
  ...numbersWithScript(1, 60, 30_000),
  ...numbersWithScript(4, 30, 40_000),
  ...Array.from({ length: 30 }, (_, i) => `+1555${50_000 + i}11`),
];

export async function startBatch(): Promise<string> {
  invitesBefore = allInvites().length;
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

export const allInvites = () => service.ledger().filter((line) => line.event === 'invite');
/** INVITEs of the batch that runs. */
export const invites = () => allInvites().slice(invitesBefore);
export const dialed = (count: number) => until(() => invites().length >= count);

/** What must hold whatever died: no attempt dialed twice, no recipient lost, no call beyond the plan, one terminal event. */
export async function nobodyWasWronged(batchId: string): Promise<void> {
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
  const told = () => hooks.received.filter(({ body }) => body.batchId === batchId);
  await until(() => told().some(({ body }) => body.event === 'batchcall-completed'));
  const ids = new Map(told().map(({ id, body }) => [id, body.event]));
  expect([...ids.values()].sort()).toEqual(['batchcall-completed', 'batchcall-started']);
}
