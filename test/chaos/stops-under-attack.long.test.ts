import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  batchIs,
  mostOfLongMs,
  numbersWithScript,
  runService,
  setUp,
  until,
  webhookReceiver,
  type RunningService,
} from '../e2e/running-service.js';
import { holdCommits, killed } from './held-commits.js';
import { modelThatWaits, type ModelThatWaits } from './model-that-waits.js';

let model: ModelThatWaits;
let service: RunningService;
let hooks: Awaited<ReturnType<typeof webhookReceiver>>;
let phoneNumber: string;

beforeAll(async () => {
  model = await modelThatWaits();
  model.answerAll({ kept: true });
  service = await runService({ speed: 20, env: { OUTDIAL_CUSTOM_LLM_URL: model.url } });
  const made = await setUp(service);
  const { agentId } = made;
  phoneNumber = made.phoneNumber;
  const schema = { type: 'object', properties: { kept: { type: 'boolean' } }, required: ['kept'] };
  const analysis = { enabled: true, model: { model: 'custom/local' }, schema, success: 'kept' };
  const languages = { english: { prompt: 'Remind them of their appointment.' } };
  const changed = await service.request('PUT', `/v1/agents/${agentId}`, { name: 'Reminder', languages, analysis });
  expect([changed.status, changed.body]).toEqual([200, expect.anything()]);
  const { body } = await service.request('POST', `/v1/agents/${agentId}/deploy`, {});
  const deployment = `/v1/agents/${agentId}/deployments/${String(body.deploymentId)}`;
  await until(async () => (await service.request('GET', deployment)).body.status === 'live');
  hooks = await webhookReceiver(service);
});
afterAll(async () => {
  hooks.close();
  await service.stop();
  service.removeData();
  await model.close();
});

async function startBatch(people: readonly string[], settings: object): Promise<string> {
  const { status, body } = await service.request('POST', '/v1/batch-calls', {
    ...{ name: 'Stops', phoneNumber, recipients: people.map((number) => ({ phoneNumber: number })) },
    webhook: { endpoint: hooks.url, events: ['batchcall-completed'] },
    ...settings,
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  return String(body.batchId);
}

const invitesTo = (people: readonly string[]) =>
  service.ledger().filter(({ event, to }) => event === 'invite' && people.includes(String(to)));

interface Record {
  readonly phoneNumber: string;
  readonly status: string;
  readonly reason?: string;
}
async function recordsOf(batchId: string): Promise<Record[]> {
  const records: Record[] = [];
  for (const page of [1, 2]) {
    const { body } = await service.request('GET', `/v1/batch-calls/${batchId}/records?perPage=100&page=${page}`);
    records.push(...(body.data as Record[]));
  }
  return records;
}

/** What holds of a batch that has stopped: each is called once or not at all, nobody waits, and it is told once. */
async function hasStopped(batchId: string, people: readonly string[], by: 'success' | 'until'): Promise<void> {
  const batch = await batchIs(service, batchId, 'completed', mostOfLongMs);
  const dialed = invitesTo(people).map(({ to }) => String(to));
  expect(new Set(dialed).size).toBe(dialed.length);
  expect(dialed.length).toBeLessThan(people.length);
  expect(batch).toMatchObject({
    stoppedBy: by,
    counts: { answered: dialed.length, cancelled: people.length - dialed.length, pending: 0, dialing: 0 },
  });
  const uncalled = (await recordsOf(batchId)).filter(({ status }) => status === 'cancelled');
  expect(uncalled.map((record) => record.phoneNumber).toSorted()).toEqual(
    people.filter((number) => !dialed.includes(number)).toSorted(),
  );
  expect(new Set(uncalled.map(({ reason }) => reason))).toEqual(
    new Set([by === 'until' ? 'stopped_at_until' : 'stopped_after_success']),
  );
  const told = () => hooks.received.filter((hook) => hook.body.batchId === batchId);
  await until(() => told().length > 0);
  expect(new Set(told().map(({ id }) => id)).size).toBe(1);
}

// shows: batch.stop.kill
test('kill -9 of the worker as it stores the success that stops a batch, undone and done: nobody is dialed after it', async () => {
  const people = numbersWithScript(0, 150, 61_000);
  const isStopping = 'new.stopped_by is not null';
  const undone = await holdCommits(service, 'batches', isStopping);
  const batchId = await startBatch(people, { stopAfter: { success: 6 }, maxConcurrentCalls: 8 });
  await undone.reached();
  const dead = killed(service, 'worker');
  await undone.undo();
  await dead;
  const done = await holdCommits(service, 'batches', isStopping);
  const settling = await holdCommits(service, 'calls', `new.reason = 'stopped_after_success'`);
  const finishing = await holdCommits(service, 'batches', 'new.completed_at is not null');
  await done.reached();
  // Both: whatever they have let out is on the carrier's ledger before the stop holds.
  await Promise.all([killed(service, 'worker'), killed(service, 'dialer')]);
  const dialedBefore = invitesTo(people).length;
  await done.release();
  for (const commits of [settling, finishing]) {
    await commits.reached();
    await killed(service, 'worker');
    await commits.release();
  }
  await hasStopped(batchId, people, 'success');
  expect(invitesTo(people)).toHaveLength(dialedBefore);
});
