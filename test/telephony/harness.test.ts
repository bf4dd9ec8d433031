import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SipClient } from 'livekit-server-sdk';
import { createLiveKitClient } from '../../telephony/livekit/client.js';
import { placeCall } from './caller.js';
import { type Carrier, startCarrier } from './carrier.js';
import { canCall, withRealCalls } from './programs.js';
import { telephoneRate } from './rtp-ear.js';
import { orderBy, trunkAt } from './test-env.js';
import { startTelephony, type TelephonyStack } from './stack.js';

const tone = (seconds: number): Int16Array =>
  Int16Array.from(
    { length: seconds * telephoneRate },
    (_, at) => 8_000 * Math.sin((at * 2 * Math.PI * 440) / telephoneRate),
  );

describe.skipIf(!canCall)(withRealCalls('the harness of real calls'), () => {
  let stack: TelephonyStack;
  let carrier: Carrier;
  beforeAll(async () => {
    stack = await startTelephony();
    carrier = await startCarrier({
      '+15550100001': { rings: 180, finally: 200 },
      '+15550100002': [
        { finally: 486, phrase: 'Busy Here' },
        { rings: 183, finally: 200, hangsUpAfterMs: 100 },
      ],
    });
  });
  beforeEach((context) => stack.tellLogsOnFailure(context));
  afterAll(async () => {
    await carrier.close();
    await stack.close();
  });

  const dial = (to: string, room: string) => {
    const client = createLiveKitClient({ name: 'default', ...stack.liveKit });
    return { client, done: client.dial(orderBy(trunkAt(carrier.address), to, { room, identity: 'callee' })) };
  };

  test('a number takes its plays in turn', async () => {
    expect(await dial('+15550100002', 'turns').done).toMatchObject({ how: 'refused', sipStatusCode: 486 });
    expect(await dial('+15550100002', 'turns').done).toBeNull();
    await expect.poll(() => carrier.messages().filter(({ name }) => name === 'BYE')).toHaveLength(1);
    expect(carrier.invites('+15550100002')).toHaveLength(2);
  });

  test('a caller and a callee in one room hear each other, and either hangs up', { timeout: 30_000 }, async () => {
    const { url, apiKey, apiSecret } = stack.liveKit;
    const sip = new SipClient(url, apiKey, apiSecret);
    const trunk = await sip.createSipInboundTrunk('in', ['+15550200001'], {
      authUsername: 'me',
      authPassword: 'secret',
    });
    await sip.createSipDispatchRule({ type: 'direct', roomName: 'both' }, { trunkIds: [trunk.sipTrunkId] });
    const { client, done } = dial('+15550100001', 'both');
    expect(await done).toBeNull();
    const call = await placeCall({
      ...{ at: `127.0.0.1:${stack.sip.sipPort}`, to: '+15550200001', from: '+15550300001' },
      credentials: { username: 'me', password: 'secret' },
    });
    expect(await call.final()).toBe(200);
    const [invite] = carrier.invites('+15550100001');
    const callee = carrier.hearing(invite ?? { callId: '' });
    await expect.poll(async () => (await client.participants('both')).length).toBe(2);
    await expect.poll(() => callee.packets).toBeGreaterThan(0);
    void callee.say(tone(20));
    await expect.poll(() => call.hearing().soundSeconds()).toBeGreaterThan(0.5);
    void call.hearing().say(tone(20));
    await expect.poll(() => callee.soundSeconds()).toBeGreaterThan(0.5);
    call.hangUp();
    expect(await call.over).toBe('we hung up');
    await expect.poll(async () => (await client.participants('both')).length).toBe(1);
    carrier.goOn(invite ?? { callId: '' });
    await expect.poll(async () => (await client.participants('both')).length).toBe(0);
    await call.close();
  });
});
