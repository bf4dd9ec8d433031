import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { LegTiming } from '../../../telephony/livekit/leg-timing.js';
import { AnswerLost, type AttemptResult, type CallEvent, type DialOrder } from '../../../telephony/provider.js';
import { type CourseName, left } from './courses.js';
import { dialByLiveKitInAnotherProcess } from './dialing-process.js';
import { liveKitTestEnv, type LiveKitTestEnv, orderOf } from './harness.js';
import { soon } from '../../setup/soon.js';

let testEnv: LiveKitTestEnv;
beforeAll(async () => {
  testEnv = await liveKitTestEnv();
});
afterAll(() => testEnv.close());

interface Leg {
  readonly order: DialOrder;
  readonly events: CallEvent['type'][];
  readonly result: Promise<AttemptResult>;
  until(type: CallEvent['type']): Promise<void>;
  readonly provider: ReturnType<LiveKitTestEnv['connect']>;
}

function dial(course: CourseName, changes: Partial<DialOrder> = {}, timing: Partial<LegTiming> = {}): Leg {
  const provider = testEnv.connect(timing);
  const order = orderOf(course, changes);
  const events: CallEvent['type'][] = [];
  const result = provider.dial(order, ({ type }) => events.push(type));
  result.catch(() => undefined);
  return {
    ...{ order, events, result, provider },
    until: (type) => vi.waitFor(() => expect(events).toContain(type), soon),
  };
}

const agentAmong = (identities: readonly string[]): string | undefined =>
  identities.find((identity) => identity.startsWith('agent-'));
const agentIn = (room: string): string | undefined => agentAmong(testEnv.fake.rooms.identitiesIn(room));

/** Resolves when the driver has looked at the room that many times more. */
async function looks(room: string, times = 2): Promise<void> {
  const count = () =>
    testEnv.fake.received.filter(({ method, body }) => method.endsWith('/ListParticipants') && body.room === room)
      .length;
  const before = count();
  await vi.waitFor(() => expect(count()).toBeGreaterThanOrEqual(before + times), soon);
}

/** Resolves when an agent is there and the driver has seen it. */
async function agentSeen(room: string): Promise<string> {
  const seen = () => agentAmong(testEnv.fake.rooms.identitiesToldOf(room));
  await vi.waitFor(() => expect(seen()).toBeDefined(), soon);
  return seen() ?? '';
}

const dispatchesTo = (room: string) =>
  testEnv.fake.received.filter(({ method, body }) => method.endsWith('/CreateDispatch') && body.room === room);

describe('the agent of a call', () => {
  test('gets its job at the first ringing, with nothing but the call’s id', async () => {
    const leg = dial('rings for long');
    await leg.until('ringing');
    await vi.waitFor(() => expect(dispatchesTo(leg.order.room)).toHaveLength(1), soon);
    expect(dispatchesTo(leg.order.room)[0]?.body).toEqual({
      ...{ room: leg.order.room, agentName: 'outdial-agent', metadata: `call_${leg.order.callId}` },
    });
    await leg.provider.hangUp(leg.order, 'ended_by_api');
    await leg.result;
  });

  test('gets it at the answer if nothing rang, and once only', async () => {
    const leg = dial('answers at once');
    await leg.result;
    expect(leg.events).toEqual(['answered']);
    expect(dispatchesTo(leg.order.room)).toHaveLength(1);
  });

  test('is not sent for a callee who never rings', async () => {
    const leg = dial('486');
    await leg.result;
    expect(dispatchesTo(leg.order.room)).toHaveLength(0);
  });

  test('that does not come in time after the answer ends the call as agent_missing', async () => {
    const leg = dial('answers, and no agent comes', {}, { agentLimitMs: 200 });
    expect(await leg.result).toMatchObject({ how: 'agent_missing', rang: true, answeredBy: 'unknown' });
    expect(leg.events).toEqual(['ringing', 'answered']);
    expect(testEnv.fake.rooms.identitiesIn(leg.order.room)).toEqual([]);
  });

  test('that crashes while it rings is replaced before the callee answers', async () => {
    const leg = dial('rings for long');
    await leg.until('ringing');
    testEnv.fake.rooms.leaves(leg.order.room, await agentSeen(leg.order.room), left.connectionTimeout);
    await vi.waitFor(() => expect(agentIn(leg.order.room)).toBeDefined(), soon);
    expect(dispatchesTo(leg.order.room)).toHaveLength(2);
    await leg.provider.hangUp(leg.order, 'ended_by_api');
    await leg.result;
  });

  test('that crashes is replaced, and the call goes on', async () => {
    const leg = dial('answers and talks for long');
    await leg.until('answered');
    const first = await agentSeen(leg.order.room);
    testEnv.fake.rooms.leaves(leg.order.room, first, left.connectionTimeout);
    await vi.waitFor(() => expect(agentIn(leg.order.room)).toBeDefined(), soon);
    expect(dispatchesTo(leg.order.room)).toHaveLength(2);
    await leg.provider.hangUp(leg.order, 'ended_by_api');
    expect(await leg.result).toMatchObject({ how: 'ended', reason: 'ended_by_api' });
  });
});

describe('our own hanging up', () => {
  test('while it rings is a cancel and no ring timeout, though LiveKit says the same of both', async () => {
    const leg = dial('rings for long');
    await leg.until('ringing');
    await leg.provider.hangUp(leg.order, 'cancelled');
    expect(await leg.result).toMatchObject({ how: 'cancelled', rang: true, reason: 'cancelled' });
  });

  test('before the participant exists is repeated until the leg is gone', async () => {
    const leg = dial('rings for long');
    await leg.provider.hangUp(leg.order, 'cancelled');
    expect(await leg.result).toMatchObject({ how: 'cancelled', reason: 'cancelled' });
    expect(testEnv.fake.rooms.identitiesIn(leg.order.room)).toEqual([]);
  });

  test('D12: twice at once is one request, as LiveKit may leave the second unanswered; the first reason counts', async () => {
    const leg = dial('answers and talks for long');
    await leg.until('answered');
    await Promise.all(
      (['ended_by_api', 'opted_out', 'voicemail'] as const).map((reason) => leg.provider.hangUp(leg.order, reason)),
    );
    expect(await leg.result).toMatchObject({ how: 'ended', reason: 'ended_by_api' });
    const removals = testEnv.fake.received.filter(
      ({ method, body }) => method.endsWith('/RemoveParticipant') && body.room === leg.order.room,
    );
    expect(removals.filter(({ body }) => !String(body.identity).startsWith('agent-'))).toHaveLength(1);
  });

  test('at the longest time that a call may last, says so', async () => {
    const leg = dial('answers and talks for long', { maxCallSeconds: 0.5 });
    const { answeredAt, at, ...end } = await leg.result;
    expect(end).toMatchObject({ how: 'ended', reason: 'max_duration' });
    expect(at.getTime() - (answeredAt?.getTime() ?? 0)).toBeGreaterThanOrEqual(490);
  });
});

describe('the end of an answered call', () => {
  test('is seen at once by a webhook’s hint', async () => {
    const leg = dial('answers and talks for long', {}, { truthMs: 60_000 });
    await leg.until('answered');
    await agentSeen(leg.order.room);
    testEnv.fake.rooms.leaves(leg.order.room, leg.order.identity, left.clientInitiated);
    expect(await leg.result).toMatchObject({ how: 'ended', reason: 'callee_hung_up' });
  });

  test('is found by polling if no webhook arrives', async () => {
    const leg = dial('answers and talks for long', {}, { truthMs: 150 });
    await leg.until('answered');
    await vi.waitFor(() => expect(agentIn(leg.order.room)).toBeDefined(), soon);
    testEnv.records.deaf = true;
    testEnv.fake.rooms.leaves(leg.order.room, leg.order.identity, left.clientInitiated);
    expect(await leg.result).toMatchObject({ how: 'ended', reason: 'ended' });
    testEnv.records.deaf = false;
  });

  test('by the agent is told apart from one by the callee', async () => {
    const leg = dial('answers and talks for long');
    await leg.until('answered');
    testEnv.fake.rooms.leaves(leg.order.room, leg.order.identity, left.participantRemoved);
    expect(await leg.result).toMatchObject({ how: 'ended', reason: 'agent_hung_up' });
  });

  test('is not concluded from a restart of LiveKit, after which the participant comes again and says `dialing`', async () => {
    const leg = dial('answers and talks for long', {}, { truthMs: 60, goneForMs: 100_000 });
    await leg.until('answered');
    await agentSeen(leg.order.room);
    await testEnv.fake.rooms.restartsWith(leg.order.room, () => looks(leg.order.room, 3));
    await looks(leg.order.room, 3);
    expect(leg.events).toEqual(['ringing', 'answered']);
    await leg.provider.hangUp(leg.order, 'ended_by_api');
    expect(await leg.result).toMatchObject({ how: 'ended', reason: 'ended_by_api' });
  });

  test('takes the room with it, and the agent', async () => {
    const leg = dial('answers and talks a little');
    await leg.result;
    await vi.waitFor(() => expect(testEnv.fake.rooms.identitiesIn(leg.order.room)).toEqual([]), soon);
  });
});

test('a callee who rings goes on ringing when the answer to the dial is lost, and is followed', async () => {
  const leg = dial('connection breaks');
  await leg.until('ringing');
  await expect(leg.result).rejects.toBeInstanceOf(AnswerLost);
  expect(await leg.provider.reconcile(leg.order)).toBe('live');
  const followed = leg.provider.follow(leg.order, () => undefined);
  await leg.provider.hangUp(leg.order, 'ended_by_api');
  expect(await followed).toMatchObject({ how: 'cancelled', rang: true });
  expect(testEnv.fake.invites.filter((identity) => identity === leg.order.identity)).toHaveLength(1);
  await vi.waitFor(() => expect(testEnv.fake.rooms.identitiesIn(leg.order.room)).toEqual([]), soon);
});

describe('after the dialing process is killed', () => {
  const crashed = async (course: CourseName, until: CallEvent['type'], changes: Partial<DialOrder> = {}) => {
    const order = orderOf(course, changes);
    const dialer = await dialByLiveKitInAnotherProcess(testEnv.fake, order, until);
    await dialer.kill();
    return order;
  };
  const follow = (order: DialOrder) => {
    const events: CallEvent['type'][] = [];
    const result = testEnv.connect({ truthMs: 100 }).follow(order, ({ type }) => events.push(type));
    return { events, result };
  };

  test.each([
    ['unavailable', { how: 'ring_timeout', rang: true }],
    ['rejected', { how: 'declined', rang: true }],
    ['clientInitiated', { how: 'refused', rang: true, reason: 'sip_code_lost' }],
    ['participantRemoved', { how: 'cancelled', rang: true }],
  ] as const)('while it rang, a callee who left as %s is judged by that', async (reason, fact) => {
    const order = await crashed('rings for long', 'ringing');
    const { events, result } = follow(order);
    await vi.waitFor(() => expect(events).toEqual(['ringing']), soon);
    testEnv.fake.rooms.leaves(order.room, order.identity, left[reason]);
    expect(await result).toMatchObject(fact);
    expect(await testEnv.connect().reconcile(order)).toMatchObject(fact);
  });

  test('before it rang, a callee who was unavailable was missed', async () => {
    const order = orderOf('is tried for long');
    const leg = testEnv.connect();
    const dialing = leg.dial(order, () => undefined);
    await vi.waitFor(() => expect(testEnv.fake.rooms.identitiesIn(order.room)).toContain(order.identity), soon);
    await leg.close();
    await expect(dialing).rejects.toBeInstanceOf(AnswerLost);
    const { result } = follow(order);
    testEnv.fake.rooms.leaves(order.room, order.identity, left.unavailable);
    expect(await result).toMatchObject({ how: 'ring_timeout', rang: false });
  });

  test('an answered leg that is over by the time it is asked about was answered', async () => {
    const order = await crashed('answers and talks for long', 'answered');
    testEnv.fake.rooms.leaves(order.room, order.identity, left.clientInitiated);
    expect(await testEnv.connect().reconcile(order)).toMatchObject({ how: 'ended', reason: 'callee_hung_up' });
  });

  test('an answered leg that is gone without a webhook was answered, by what the database knows', async () => {
    const order = await crashed('answers and talks for long', 'answered');
    testEnv.records.store(order, { answeredAt: new Date() });
    testEnv.records.deaf = true;
    testEnv.fake.rooms.leaves(order.room, order.identity, left.clientInitiated);
    testEnv.records.deaf = false;
    expect(await testEnv.connect().reconcile(order)).toMatchObject({ how: 'ended', rang: true });
  });

  test('a leg that is over and of which nothing is known is absent, never fenced', async () => {
    const order = await crashed('rings for long', 'ringing');
    testEnv.records.deaf = true;
    testEnv.fake.rooms.leaves(order.room, order.identity, left.unavailable);
    testEnv.records.deaf = false;
    expect(await testEnv.connect().reconcile(order)).toBe('absent');
    expect(await testEnv.connect().reconcile(orderOf('486'))).toBe('absent');
    await expect(follow(order).result).rejects.toBeInstanceOf(AnswerLost);
  });

  test('the agent is not sent twice to a leg that is taken over', async () => {
    const order = orderOf('answers and talks for long');
    const dialer = await dialByLiveKitInAnotherProcess(testEnv.fake, order, 'answered');
    await vi.waitFor(() => expect(agentIn(order.room)).toBeDefined(), soon);
    await dialer.kill();
    const { events, result } = follow(order);
    await vi.waitFor(() => expect(events).toContain('answered'), soon);
    await looks(order.room, 1);
    expect(dispatchesTo(order.room)).toHaveLength(1);
    testEnv.fake.rooms.leaves(order.room, order.identity, left.clientInitiated);
    expect(await result).toMatchObject({ how: 'ended' });
  });

  test('no second INVITE leaves for a leg that is followed', async () => {
    const order = await crashed('answers and talks a little', 'ringing');
    expect(await follow(order).result).toMatchObject({ how: 'ended' });
    expect(testEnv.fake.invites.filter((identity) => identity === order.identity)).toHaveLength(1);
  });
});
