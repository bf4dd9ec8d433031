import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dispositionOf } from '../../domain/call/disposition.js';
import type { LegTiming } from '../../telephony/livekit/leg-timing.js';
import type { AttemptResult, CallEvent, CallProvider, DialOrder } from '../../telephony/provider.js';
import { dialByLiveKitInAnotherProcess } from '../integration/livekit/dialing-process.js';
import { type Carrier, type Invite, type Play, startCarrier } from './carrier.js';
import { nudgeMethod } from './nudge.js';
import { canCall, withRealCalls } from './programs.js';
import { sipTestEnv, orderBy, type SipTestEnv, trunkAt } from './test-env.js';

const firstTry = { invite: 1, freeTries: 0, throttledSeconds: 0, consecutiveSilences: 0 };
const patience = { timeout: 30_000, interval: 50 };
/** Goes on when it is told to. */
const waits = 600_000;
const plays = {
  '+15550100001': { rings: 180, afterMs: waits, finally: 200 },
  '+15550100002': {},
  '+15550100003': { rings: 180, afterMs: 1_000, finally: 200 },
} as const satisfies Record<string, Play>;
const [rings, tries, answers] = ['+15550100001', '+15550100002', '+15550100003'] as const;

describe.skipIf(!canCall)(withRealCalls('a real leg'), { timeout: 90_000 }, () => {
  let testEnv: SipTestEnv;
  let carrier: Carrier;
  beforeAll(async () => {
    testEnv = await sipTestEnv();
    carrier = await startCarrier(plays);
  });
  beforeEach((context) => testEnv.stack.tellLogsOnFailure(context));
  afterAll(async () => {
    await testEnv.close();
    await carrier.close();
  });

  interface Leg {
    readonly order: DialOrder;
    readonly provider: CallProvider;
    readonly events: readonly CallEvent['type'][];
    readonly result: Promise<AttemptResult>;
    until(type: CallEvent['type']): Promise<void>;
  }
  function watch(
    provider: CallProvider,
    order: DialOrder,
    start: (on: (event: CallEvent) => void) => Promise<AttemptResult>,
  ): Leg {
    const events: CallEvent['type'][] = [];
    const result = start(({ type }) => events.push(type));
    result.catch(() => undefined);
    const until = (type: CallEvent['type']) => expect.poll(() => events, patience).toContain(type);
    return { ...{ order, provider, events, result }, until };
  }
  function dial(to: string, timing: Partial<LegTiming> = {}): Leg {
    const provider = testEnv.connect(timing);
    const order = { ...orderBy(trunkAt(carrier.address), to) };
    const marked = { ...order, headers: { 'X-Leg': order.callId } };
    return watch(provider, marked, (on) => provider.dial(marked, on));
  }
  const invitesOf = ({ callId }: DialOrder) => carrier.invites().filter(({ headers }) => headers['x-leg'] === callId);
  /** The one INVITE of an order, and there is no other. */
  async function inviteOf(order: DialOrder): Promise<Invite> {
    await expect.poll(() => invitesOf(order).length, patience).toBe(1);
    const [invite] = invitesOf(order);
    if (invite === undefined) throw new Error('no INVITE');
    return invite;
  }
  const saysOf = ({ callId }: Invite, name: string) =>
    carrier.messages().filter((message) => message.callId === callId && message.name === name);

  describe('that is hung up', () => {
    test.each([
      ['that rings', rings, true],
      ['that is being tried', tries, false],
    ] as const)('%s is cancelled at the carrier, and that is not taken for a ring timeout', async (_what, to, rang) => {
      const leg = dial(to);
      const invite = await inviteOf(leg.order);
      if (rang) await leg.until('ringing');
      else await expect.poll(() => saysOf(invite, '100'), patience).toHaveLength(1);
      await leg.provider.hangUp(leg.order, 'cancelled');
      const end = await leg.result;
      expect(end).toMatchObject({ how: 'cancelled', rang, reason: 'cancelled' });
      expect(dispositionOf(end, firstTry)).toMatchObject({ kind: 'ended', status: 'abandoned' });
      await expect.poll(() => saysOf(invite, 'CANCEL'), patience).toHaveLength(1);
    });

    test('after the answer gets one BYE, and the reason given', async () => {
      const leg = dial(answers);
      await leg.until('answered');
      await leg.provider.hangUp(leg.order, 'ended_by_api');
      const end = await leg.result;
      expect(end).toMatchObject({ how: 'ended', rang: true, reason: 'ended_by_api' });
      expect(dispositionOf(end, firstTry)).toMatchObject({ kind: 'ended', status: 'answered' });
      const invite = await inviteOf(leg.order);
      await expect.poll(() => saysOf(invite, 'BYE'), patience).toHaveLength(1);
    });

    test('while the callee answers ends the call', async () => {
      const leg = dial(rings);
      await leg.until('ringing');
      const invite = await inviteOf(leg.order);
      carrier.goOn(invite);
      await expect.poll(() => saysOf(invite, nudgeMethod), { ...patience, interval: 1 }).toHaveLength(1);
      await leg.provider.hangUp(leg.order, 'cancelled');
      expect(['ended', 'cancelled']).toContain((await leg.result).how);
      const isOver = () => saysOf(invite, 'BYE').length + saysOf(invite, '487').length;
      await expect.poll(isOver, patience).toBeGreaterThan(0);
    });
  });

  test('that is answered, and no agent comes, is hung up two seconds later', async () => {
    const leg = dial(answers, { agentLimitMs: 2_000 });
    const end = await leg.result;
    expect(end).toMatchObject({ how: 'agent_missing', rang: true });
    expect(dispositionOf(end, firstTry)).toMatchObject({ kind: 'ended', status: 'abandoned' });
    const invite = await inviteOf(leg.order);
    await expect.poll(() => saysOf(invite, 'BYE'), patience).toHaveLength(1);
  });

  describe('whose dialing process is killed', () => {
    const elsewhere = async (to: string, until: CallEvent['type']) => {
      const order = orderBy(trunkAt(carrier.address), to);
      const marked = { ...order, headers: { 'X-Leg': order.callId } };
      const dialer = await dialByLiveKitInAnotherProcess(testEnv.region, marked, until);
      await dialer.kill();
      const provider = testEnv.connect();
      expect(await provider.reconcile(marked)).toBe('live');
      return watch(provider, marked, (on) => provider.follow(marked, on));
    };

    test('while it rings is followed by another through answer and talk to its end, with one INVITE', async () => {
      const leg = await elsewhere(rings, 'ringing');
      await leg.until('ringing');
      const invite = await inviteOf(leg.order);
      carrier.goOn(invite);
      await leg.until('answered');
      carrier.goOn(invite);
      expect(await leg.result).toMatchObject({ how: 'ended', rang: true, reason: 'callee_hung_up' });
      await inviteOf(leg.order);
    });

    test('while it talks is followed by another to its end, with one INVITE', async () => {
      const leg = await elsewhere(answers, 'answered');
      await leg.until('answered');
      carrier.goOn(await inviteOf(leg.order));
      expect(await leg.result).toMatchObject({ how: 'ended', rang: true, reason: 'callee_hung_up' });
      await inviteOf(leg.order);
    });

    test('while it rings, and is not answered, is told as not answered without its SIP code', async () => {
      const order = orderBy(trunkAt(carrier.address), rings, { ringTimeoutSeconds: 5 });
      const dialer = await dialByLiveKitInAnotherProcess(testEnv.region, order, 'ringing');
      await dialer.kill();
      const provider = testEnv.connect();
      const end = await provider.follow(order, () => undefined);
      expect(end).toMatchObject({ how: 'ring_timeout', rang: true });
    });
  });
});
