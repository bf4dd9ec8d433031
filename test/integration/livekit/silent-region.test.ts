import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createLiveKitProvider } from '../../../telephony/livekit/driver.js';
import { type CallProvider, ProviderUnreachable } from '../../../telephony/provider.js';
import { soon } from '../../setup/soon.js';
import { type SilentServer, startSilentServer } from '../silent-server.js';
import { liveKitTestEnv, type LiveKitTestEnv, orderOf, quick } from './harness.js';

let testEnv: LiveKitTestEnv;
let silent: SilentServer;
const opened: CallProvider[] = [];
beforeAll(async () => {
  testEnv = await liveKitTestEnv();
});
beforeEach(async () => {
  silent = await startSilentServer();
});
afterEach(async () => {
  for (const provider of opened.splice(0)) await provider.close();
  await silent.close();
});
afterAll(() => testEnv.close());

/** A process that knows two LiveKits, of which the first does not answer, and that has sent no INVITE itself. */
function anotherProcess(): CallProvider {
  const { url, apiKey, apiSecret } = testEnv.fake;
  const provider = createLiveKitProvider({
    regions: [
      { name: 'away', url: `http://127.0.0.1:${silent.port}`, apiKey, apiSecret },
      { name: 'default', url, apiKey, apiSecret },
    ],
    records: testEnv.records,
    agents: { reserve: () => Promise.resolve() },
    timing: quick,
  });
  opened.push(provider);
  return provider;
}

async function aTalk() {
  const order = orderOf('answers and talks for long');
  const provider = testEnv.connect();
  const events: string[] = [];
  const result = provider.dial(order, ({ type }) => events.push(type));
  result.catch(() => undefined); // it is left to others
  await vi.waitFor(() => expect(events).toContain('answered'), soon);
  return { order, provider };
}

/** Rejects when the LiveKit that does not answer has been given up. */
const beforeItIsGivenUp = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([work, silentIsGivenUp().then(() => Promise.reject(new Error('it was waited for')))]);
const silentIsGivenUp = (): Promise<void> =>
  vi.waitUntil(() => silent.ended > 0, { timeout: 60_000 }).then(() => undefined);

// shows: silent.region
test('a live leg is found and hung up by another process while the LiveKit of another region does not answer', async () => {
  const { order } = await aTalk();
  const other = anotherProcess();
  expect(await beforeItIsGivenUp(other.reconcile(order))).toBe('live');
  await beforeItIsGivenUp(other.hangUp(order, 'lost'));
  expect(testEnv.fake.rooms.identitiesIn(order.room)).not.toContain(order.identity);
});

test('a target in a room of one LiveKit is hung up while another does not answer', async () => {
  const { order } = await aTalk();
  const target = { leg: { ...order, callId: randomUUID() }, transferId: 'transfer', room: order.room };
  await beforeItIsGivenUp(anotherProcess().hangUpTarget(target));
  expect(testEnv.fake.rooms.identitiesIn(order.room)).toEqual([]);
});

test('a leg that a webhook has told the end of is over, though a LiveKit that may have it does not answer', async () => {
  const { order, provider } = await aTalk();
  await provider.hangUp(order, 'ended_by_api');
  await vi.waitFor(() => expect(testEnv.records.leftOf(order)).not.toBeNull(), soon);
  expect(await anotherProcess().reconcile(order)).toMatchObject({ how: 'ended' });
});

test('a leg of which nothing is known stays so while a LiveKit that may have it does not answer', async () => {
  const order = orderOf('answers and talks for long');
  await expect(anotherProcess().reconcile(order)).rejects.toBeInstanceOf(ProviderUnreachable);
});
