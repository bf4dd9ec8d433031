import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dispositionOf } from '../../domain/call/disposition.js';
import {
  type AttemptResult,
  type CallEvent,
  type CallProvider,
  ProviderUnreachable,
} from '../../telephony/provider.js';
import { type Carrier, startCarrier } from './carrier.js';
import { canCall, withRealCalls } from './programs.js';
import { sipTestEnv, orderBy, type SipTestEnv, trunkAt } from './test-env.js';

const firstTry = { invite: 1, freeTries: 0, throttledSeconds: 0, consecutiveSilences: 0 };
const patience = { timeout: 30_000, interval: 50 };
const [busy, talks] = ['+15550100001', '+15550100002'] as const;
const plays = {
  [busy]: { finally: 486, phrase: 'Busy Here' },
  [talks]: { rings: 180, afterMs: 800, finally: 200 },
} as const;
const requeued = { kind: 'requeue', why: 'not_sent' } as const;

describe.skipIf(!canCall)(withRealCalls('LiveKit with a part of it gone'), { timeout: 120_000 }, () => {
  let testEnv: SipTestEnv;
  let carrier: Carrier;
  let provider: CallProvider;
  beforeAll(async () => {
    testEnv = await sipTestEnv();
    carrier = await startCarrier(plays);
    provider = testEnv.connect();
  });
  beforeEach((context) => testEnv.stack.tellLogsOnFailure(context));
  afterAll(async () => {
    await testEnv.close();
    await carrier.close();
  });

  const orderTo = (to: string) => orderBy(trunkAt(carrier.address), to);
  /** A call that talks. */
  async function talk() {
    const order = orderTo(talks);
    const events: CallEvent['type'][] = [];
    const result: Promise<AttemptResult> = provider.dial(order, ({ type }) => events.push(type));
    await expect.poll(() => events, patience).toContain('answered');
    return { order, events, result };
  }

  test('a LiveKit SIP that is too busy takes no call: nothing is sent, and it goes back to the queue', async () => {
    const small = await sipTestEnv({ maxCpu: 0.001 });
    const end = await small.connect().dial(orderTo(busy), () => undefined);
    expect(end).toMatchObject({ how: 'not_sent', reason: 'livekit_sip_busy' });
    expect(dispositionOf(end, firstTry)).toMatchObject(requeued);
    expect(carrier.invites(busy)).toEqual([]);
    await small.close();
  });

  test('a call whose LiveKit SIP dies is over when LiveKit notices', async () => {
    const { result } = await talk();
    await testEnv.stack.sip.kill();
    const end = await result;
    expect(end).toMatchObject({ how: 'ended', rang: true, reason: 'connection_lost' });
    await testEnv.stack.sip.restart();
  });

  test('without a LiveKit SIP nothing is sent, and the call goes back to the queue', async () => {
    await testEnv.stack.sip.kill();
    const end = await provider.dial(orderTo(busy), () => undefined);
    expect(end).toMatchObject({ how: 'not_sent', reason: 'livekit_sip_absent' });
    expect(dispositionOf(end, firstTry)).toMatchObject(requeued);
    expect(carrier.invites(busy)).toEqual([]);
    await testEnv.stack.sip.restart();
    expect(await provider.dial(orderTo(busy), () => undefined)).toMatchObject({ sipStatusCode: 486 });
  });

  test('a call goes on while the LiveKit server is restarted, and is answered only once', async () => {
    const { order, events, result } = await talk();
    const [invite] = carrier.invites(talks).slice(-1);
    await testEnv.stack.liveKit.kill();
    await expect(provider.dial(orderTo(busy), () => undefined)).rejects.toBeInstanceOf(ProviderUnreachable);
    await testEnv.stack.liveKit.restart();
    await expect.poll(() => provider.reconcile(order).catch(() => 'unreachable'), patience).toBe('live');
    await provider.hangUp(order, 'ended_by_api');
    const end = await result;
    expect(end).toMatchObject({ how: 'ended', rang: true, reason: 'ended_by_api' });
    expect(events.filter((type) => type === 'answered')).toHaveLength(1);
    expect(carrier.received('BYE').filter(({ callId }) => callId === invite?.callId)).toHaveLength(1);
  });

  test('a call whose LiveKit and LiveKit SIP both die is over, though the list of the next LiveKit names it', async () => {
    const { order, result } = await talk();
    await testEnv.stack.liveKit.kill();
    await testEnv.stack.sip.kill();
    await testEnv.stack.liveKit.restart();
    await testEnv.stack.sip.restart();
    expect(await result).toMatchObject({ how: 'ended', rang: true });
    testEnv.records.store(order, { answeredAt: new Date() });
    expect(await provider.reconcile(order)).toMatchObject({ how: 'ended' });
  });
});
