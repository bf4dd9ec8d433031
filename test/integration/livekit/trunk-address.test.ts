import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TrunkJudgement } from '../../../telephony/trunk-judgement.js';
import { createLiveKitProvider } from '../../../telephony/livekit/driver.js';
import { ProviderUnreachable } from '../../../telephony/provider.js';
import { orderTo } from '../simulator/carrier-process.js';
import { numberOf } from './courses.js';
import { liveKitTestEnv, type LiveKitTestEnv, quick } from './harness.js';

let testEnv: LiveKitTestEnv;
beforeAll(async () => {
  testEnv = await liveKitTestEnv();
});
afterAll(() => testEnv.close());

const providerWith = (judgement: TrunkJudgement) => {
  const { url, apiKey, apiSecret } = testEnv.fake;
  return createLiveKitProvider({
    regions: [{ name: 'default', url, apiKey, apiSecret }],
    records: testEnv.records,
    agents: { reserve: () => Promise.resolve() },
    timing: quick,
    judgeTrunk: () => Promise.resolve(judgement),
  });
};

test.each([true, false])('P2-6: to a trunk that may not be called nothing is sent (prepared: %s)', async (prepared) => {
  const provider = providerWith('refused');
  const order = orderTo(numberOf('486'), { callId: randomUUID() });
  if (prepared) await provider.prepare(order);
  const result = await provider.dial(order, () => undefined);
  expect(result).toMatchObject({ how: 'gateway_fault', words: 'gateway_address_refused' });
  expect(testEnv.fake.rooms.identitiesIn(order.room)).toEqual([]);
  const { message } = await provider.checkGateway(order.gateway);
  expect(message).toContain('no address that may be called');
  await provider.close();
});

test('P2-6: while a trunk cannot be looked up nothing is sent, and the attempt can go back', async () => {
  const provider = providerWith('unknown');
  const order = orderTo(numberOf('486'), { callId: randomUUID() });
  // It is not prepared: neither a room nor a slot of the gateway is taken.
  await expect(provider.prepare(order)).rejects.toBeInstanceOf(ProviderUnreachable);
  await expect(provider.dial(order, () => undefined)).rejects.toBeInstanceOf(ProviderUnreachable);
  await provider.close();
});

test('P2-6: a trunk that may be called is called', async () => {
  const provider = providerWith('allowed');
  const order = orderTo(numberOf('486'), { callId: randomUUID() });
  await provider.prepare(order);
  expect(await provider.dial(order, () => undefined)).toMatchObject({ how: 'refused', sipStatusCode: 486 });
  await provider.close();
});
