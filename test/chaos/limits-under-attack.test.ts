import { expect, test } from 'vitest';
import { mostLiveLegs } from '../setup/live-legs.js';
import { preDialEndpoint } from '../setup/pre-dial-endpoint.js';
import { batchIs, numbersWithScript, until, webhookReceiver } from '../e2e/running-service.js';
import { allInvites, calling, service, useService } from './batch-under-attack.js';
import { holdCommits, killed } from './held-commits.js';

useService();

const dialedOf = (people: readonly string[]) =>
  allInvites()
    .map(({ to }) => String(to))
    .filter((to) => people.includes(to));

async function startBatch(people: readonly string[], settings: object = {}): Promise<string> {
  const { status, body } = await service.request('POST', '/v1/batch-calls', {
    ...{ name: 'Limited', phoneNumber: calling(), recipients: people.map((phoneNumber) => ({ phoneNumber })) },
    ...settings,
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  return String(body.batchId);
}

interface ListedNumber {
  readonly phoneNumber: { readonly phoneNumberId: string; readonly callsToday: number | null };
}
const ownNumber = async () => {
  const { body } = await service.request('GET', '/v2/sip/phone-numbers');
  return (body.data as ListedNumber[])[0]!.phoneNumber;
};
const countsOf = async (batchId: string) => {
  const { body } = await service.request('GET', `/v1/batch-calls/${batchId}`);
  return body.counts as { pending: number; dialing: number };
};
/** Who waits, by reason. */
const waitingOf = async (batchId: string) => {
  const { body } = await service.request('GET', `/v1/batch-calls/${batchId}`);
  const { reasons } = body.waiting as { reasons: { reason: string; count: number }[] };
  return Object.fromEntries(reasons.map(({ reason, count }) => [reason, count]));
};
const recordsOf = async (batchId: string) => {
  const { body } = await service.request('GET', `/v1/batch-calls/${batchId}/records?perPage=100`);
  return body.data as { phoneNumber: string; status: string; reason?: string }[];
};

// shows: numbers.kill
test('kill -9 of a dialer whose gate has counted a call that was never sent: its number makes exactly as many as it may', async () => {
  const people = numbersWithScript(0, 30, 11_000);
  const most = 12;
  const { phoneNumberId } = await ownNumber();
  const limit = async (maxCallsPerDay: number | null) =>
    expect((await service.request('PATCH', `/v2/sip/phone-numbers/${phoneNumberId}`, { maxCallsPerDay })).status).toBe(
      200,
    );
  await limit(most);
  let batchId: string;
  try {
    const counted = await holdCommits(service, 'counted_numbers', 'new.calls > 4');
    batchId = await startBatch(people);
    await counted.reached();
    expect(dialedOf(people).length).toBeLessThan(most);
    const dead = killed(service, 'dialer');
    await counted.release();
    await dead;
    // Nobody else is in the queue, and no dialer holds a call: that of the dead one waits for its lease to end.
    const left = people.length - most;
    await until(async () => Object.entries(await waitingOf(batchId)).join() === `number_limit,${left}`);
    await until(async () => (await countsOf(batchId)).pending === left && (await countsOf(batchId)).dialing === 0);
    expect(dialedOf(people)).toHaveLength(most);
    expect(await ownNumber()).toMatchObject({ callsToday: most });
  } finally {
    await limit(null);
  }
  await batchIs(service, batchId, 'completed');
  expect(dialedOf(people).toSorted()).toEqual(people.toSorted());
});

// shows: gateway.reserved.kill
test('kill -9 of a dialer as it claims, at the gate and as a call ends: batches never have a reserved line, a single call always has', async () => {
  const people = numbersWithScript(0, 60, 14_000);
  const { body: listed } = await service.request('GET', '/v2/sip/outbound-gateways');
  const { id } = (listed.data as { id: string }[])[0]!;
  const lines = async (maxConcurrentCalls: number, reservedCalls: number) =>
    expect(
      (await service.request('PATCH', `/v2/sip/outbound-gateways/${id}`, { maxConcurrentCalls, reservedCalls })).status,
    ).toBe(200);
  await lines(6, 2);
  try {
    const batchId = await startBatch(people);
    for (const [place, when] of [
      `new.phase = 'claimed' and new.batch_id is not null`,
      `new.phase = 'dialing' and new.batch_id is not null`,
      `new.phase = 'ended' and new.batch_id is not null`,
    ].entries()) {
      // Batches have all their lines before the blow, and again after it.
      await until(async () => (await waitingOf(batchId)).reserved !== undefined);
      const commits = await holdCommits(service, 'call_attempts', when);
      await commits.reached();
      const dead = killed(service, 'dialer');
      await commits.release();
      await dead;
      const [to = ''] = numbersWithScript(0, 1, 15_000 + place);
      const { status } = await service.request('POST', '/v2/sip/call', { sipCallTo: to, sipCallFrom: calling() });
      expect(status).toBe(201);
      await until(() => dialedOf([to]).length === 1);
      expect(dialedOf(people).length).toBeLessThan(people.length);
    }
    await batchIs(service, batchId, 'completed');
    expect(dialedOf(people).toSorted()).toEqual(people.toSorted());
    const ofBatch = ({ to = '' }: { readonly to?: string }) => people.includes(to);
    expect(mostLiveLegs(service.ledger(), ofBatch)).toBe(4);
  } finally {
    await lines(50, 0);
  }
});

// shows: pre-dial.kill
test('kill -9 of a dialer while it asks, as it stores what was said, and at the gate: nobody refused is dialed, and nobody is lost', async () => {
  const people = numbersWithScript(0, 36, 12_000);
  const refused = people.filter((_, place) => place % 3 === 0);
  const endpoint = await preDialEndpoint();
  try {
    endpoint.verdict = ({ phoneNumber }) => ({ eligible: !refused.includes(phoneNumber) });
    endpoint.misbehave = () => undefined;
    const preDial = { url: endpoint.url, timeoutMs: 1_000, onError: 'wait' };
    // So few at a time that one question does not ask about all.
    const batchId = await startBatch(people, { preDial, maxConcurrentCalls: 2 });
    await until(() => endpoint.questions.length > 0);
    const unanswered = endpoint.numbers();
    await killed(service, 'dialer');
    endpoint.misbehave = null;
    for (const [table, when] of [
      ['pre_dial_answers', 'new.cleared'],
      ['calls', `new.reason = 'pre_dial_refused'`],
      ['call_attempts', `new.phase = 'dialing'`],
    ] as const) {
      const commits = await holdCommits(service, table, when);
      await commits.reached();
      const dead = killed(service, 'dialer');
      await commits.release();
      await dead;
    }
    const batch = await batchIs(service, batchId, 'completed');
    const called = people.filter((number) => !refused.includes(number));
    expect(dialedOf(people).toSorted()).toEqual(called.toSorted());
    expect(batch).toMatchObject({ counts: { answered: called.length, failed: refused.length } });
    const ended = (await recordsOf(batchId)).filter(({ reason }) => reason === 'pre_dial_refused');
    expect(ended.map(({ phoneNumber }) => phoneNumber).toSorted()).toEqual(refused.toSorted());
    for (const number of unanswered) {
      expect(endpoint.numbers().filter((asked) => asked === number).length).toBeGreaterThan(1);
    }
  } finally {
    await endpoint.close();
  }
});

// shows: batch.stop.kill
test.each([
  ['answered', 'stopped_after_answered', { stopAfter: { answered: 10 } }, 13_000],
  ['maxCost', 'stopped_at_max_cost', { maxCost: 10 }, 13_500],
])(
  'kill -9 of dialer and worker as a batch stops by %s and is settled: nobody is dialed after it, and each is told of once',
  async (by, reason, stop, from) => {
    const people = numbersWithScript(0, 90, from);
    const prices = { currency: 'USD', calls: [{ perMinute: 1, incrementSeconds: 60 }] };
    expect((await service.request('PUT', '/v1/account/prices', prices)).status).toBe(200);
    const hooks = await webhookReceiver(service);
    const stopping = await holdCommits(service, 'batches', 'new.stopped_by is not null');
    const settling = await holdCommits(service, 'calls', `new.reason = '${reason}'`);
    const finishing = await holdCommits(service, 'batches', 'new.completed_at is not null');
    const batchId = await startBatch(people, {
      ...{ ...stop, maxConcurrentCalls: 15 },
      webhook: { endpoint: hooks.url, events: ['batchcall-completed'] },
    });
    let dialedBefore: readonly string[] = [];
    for (const [commits, role] of [
      [stopping, 'dialer'],
      [settling, 'worker'],
      [finishing, 'worker'],
    ] as const) {
      await commits.reached();
      // Another one runs before the commit holds: its gate waits for the batch, and nothing is on its way.
      await killed(service, role);
      if (commits === stopping) dialedBefore = dialedOf(people);
      await commits.release();
    }
    const batch = await batchIs(service, batchId, 'completed');
    const dialed = dialedOf(people);
    expect(dialed.toSorted()).toEqual(dialedBefore.toSorted());
    expect(batch).toMatchObject({
      stoppedBy: by,
      counts: { answered: dialed.length, cancelled: people.length - dialed.length, pending: 0, dialing: 0 },
    });
    const uncalled = (await recordsOf(batchId)).filter((record) => record.reason === reason);
    expect(uncalled.map(({ phoneNumber }) => phoneNumber).toSorted()).toEqual(
      people.filter((number) => !dialed.includes(number)).toSorted(),
    );
    const told = () => hooks.received.filter(({ body }) => body.batchId === batchId);
    await until(() => told().length > 0);
    expect(new Set(told().map(({ id }) => id)).size).toBe(1);
    hooks.close();
  },
);
