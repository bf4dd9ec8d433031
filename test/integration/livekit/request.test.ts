import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLiveKitProvider } from '../../../telephony/livekit/driver.js';
import type { TrunkEnd } from '../../../domain/phone/trunk-end.js';
import type { CallProvider, DialOrder } from '../../../telephony/provider.js';
import { FakeLiveKit } from './fake-livekit.js';
import { liveKitTestEnv, type LiveKitTestEnv, MemoryRecords, orderOf } from './harness.js';

let testEnv: LiveKitTestEnv;
let provider: CallProvider;
beforeAll(async () => {
  testEnv = await liveKitTestEnv();
  provider = testEnv.connect();
});
afterAll(() => testEnv.close());

const gateway: TrunkEnd = {
  ...{ id: 'gwo_test', address: 'trunk.example.com:5061', region: 'auto', transport: 'tls', numberFormat: 'e164' },
  ...{ mediaEncryption: 'disable', headers: {} },
};

/** What LiveKit is asked for an order to a busy callee. */
async function asked(changes: Partial<DialOrder>, ofGateway: Partial<TrunkEnd> = {}) {
  const order = orderOf('486', { gateway: { ...gateway, ...ofGateway }, ...changes });
  await provider.dial(order, () => undefined);
  const sent = testEnv.fake.received.filter(({ method }) => method === 'SIP/CreateSIPParticipant');
  const mine = sent.filter(({ body }) => body.participantIdentity === order.identity);
  expect(mine).toHaveLength(1);
  return mine[0];
}

describe('what a dial asks of LiveKit', () => {
  test.each([
    ['udp', 'SIP_TRANSPORT_UDP'],
    ['tcp', 'SIP_TRANSPORT_TCP'],
    ['tls', 'SIP_TRANSPORT_TLS'],
  ] as const)('the trunk by %s, with no trunk stored in LiveKit', async (transport, named) => {
    const sent = await asked({}, { transport });
    expect(sent?.body).toMatchObject({
      trunk: { hostname: 'trunk.example.com:5061', transport: named },
      waitUntilAnswered: true,
    });
    expect(sent?.body.sipTrunkId ?? '').toBe('');
  });

  test('digest credentials, if there are any', async () => {
    const auth = { username: 'trunk', password: 'a-secret-of-the-trunk' };
    expect((await asked({}, { auth }))?.body).toMatchObject({
      trunk: { authUsername: 'trunk', authPassword: 'a-secret-of-the-trunk' },
    });
    expect((await asked({}))?.body.trunk).not.toHaveProperty('authUsername');
  });

  test('encrypted media or the call does not come about', async () => {
    const media = async (mediaEncryption: 'enable' | 'disable') => (await asked({}, { mediaEncryption }))?.body.media;
    expect(await media('enable')).toEqual({ encryption: 'SIP_MEDIA_ENCRYPT_REQUIRE' });
    expect(await media('disable')).toEqual({ encryption: 'SIP_MEDIA_ENCRYPT_DISABLE' });
  });

  // shows: call.rule-decides
  test("the gateway's headers and the call's, which stand above them, and its From host", async () => {
    const headers = { 'P-Asserted-Identity': '<sip:+15550100000@example.com>', 'X-Both': 'gateway' };
    const sent = await asked({ headers: { 'X-Both': 'call' } }, { headers, fromHost: 'sip.example.com' });
    expect(sent?.body).toMatchObject({
      headers: { ...headers, 'X-Both': 'call' },
      trunk: { fromHost: 'sip.example.com' },
    });
  });

  test.each([
    ['e164', '+493012345678', '+493012345678'],
    ['e164_without_plus', '+493012345678', '493012345678'],
    ['national', '+493012345678', '03012345678'],
    ['national', '+12125550123', '2125550123'],
    ['national', '+99912345678', '99912345678'],
  ] as const)('the caller id as %s: %s is %s', async (numberFormat, from, sent) => {
    expect((await asked({ from }, { numberFormat }))?.body.sipNumber).toBe(sent);
  });

  test('the callee in the format of the trunk', async () => {
    const sent = await asked({}, { numberFormat: 'e164_without_plus' });
    expect(sent?.body.sipCallTo).toMatch(/^1555010\d{4}$/);
  });

  // shows: call.participant, call.metadata
  test('identity, room, times in whole seconds, and what the agent has to know', async () => {
    const order = { ringTimeoutSeconds: 20.4, maxCallSeconds: 600, hidePhoneNumber: true, dtmf: true, record: true };
    const sent = await asked({ ...order, callId: '0199a1b2-0000-7000-8000-000000000001' });
    expect(sent?.body).toMatchObject({
      participantIdentity: 'callee_0199a1b2-0000-7000-8000-000000000001_1_1',
      ringingTimeout: '20s',
      maxCallDuration: '620s',
      hidePhoneNumber: true,
      participantAttributes: {
        'outdial.callId': 'call_0199a1b2-0000-7000-8000-000000000001',
        'outdial.dtmf': 'true',
        'outdial.record': 'true',
      },
    });
  });

  test.each([
    ['SIP_X_HEADERS', 'SIP_X_HEADERS'],
    ['ALL', 'SIP_ALL_HEADERS'],
  ] as const)('headers of the carrier as attributes of the callee: %s', async (includeHeaders, named) => {
    expect((await asked({ includeHeaders }))?.body.includeHeaders).toBe(named);
  });

  test.each([{ includeHeaders: 'NONE' }, {}] as const)(
    'no headers of the carrier unless they are asked for: %j',
    async (change) => {
      expect((await asked(change))?.body.includeHeaders ?? 'SIP_NO_HEADERS').toBe('SIP_NO_HEADERS');
    },
  );

  test('the callee in the caller’s own words', async () => {
    const sent = await asked({ participant: { id: 'customer-7', name: 'Asha' } });
    expect(sent?.body).toMatchObject({
      participantName: 'Asha',
      participantAttributes: { 'outdial.participantId': 'customer-7' },
    });
    expect((await asked({}))?.body.participantAttributes).not.toHaveProperty('outdial.participantId');
  });

  test('no ringing beyond what LiveKit would cut short', async () => {
    expect((await asked({ ringTimeoutSeconds: 90 }))?.body.ringingTimeout).toBe('75s');
  });

  test('a token that lives for one second and allows calls only', async () => {
    const sent = await asked({});
    const {
      exp = 0,
      nbf = 0,
      sip,
      video,
    } = sent!.claims as { exp?: number; nbf?: number; sip: unknown; video: unknown };
    expect(exp - nbf).toBeLessThanOrEqual(1);
    expect(sip).toEqual({ call: true });
    expect(video).toBeUndefined();
  });
});

test('preparing makes the room of the call, whose metadata is the call, and nothing else', async () => {
  const order = orderOf('486', { callId: '0199a1b2-0000-7000-8000-000000000002' });
  await provider.prepare(order);
  const made = testEnv.fake.received.filter(({ body }) => body.name === order.room);
  expect(made.map(({ method }) => method)).toEqual(['RoomService/CreateRoom']);
  expect(made[0]?.body).toMatchObject({ metadata: 'call_0199a1b2-0000-7000-8000-000000000002' });
});

test('a static room may hold several calls, so its metadata names none', async () => {
  const order = orderOf('486', { room: 'reception' });
  await provider.prepare(order);
  expect(testEnv.fake.received.find(({ body }) => body.name === 'reception')?.body.metadata ?? '').toBe('');
});

test('a call is not prepared if no agent has a slot for it', async () => {
  const { fake, records } = testEnv;
  const asked: string[] = [];
  const agentless = createLiveKitProvider({
    regions: [{ name: 'default', url: fake.url, apiKey: fake.apiKey, apiSecret: fake.apiSecret }],
    records,
    agents: {
      reserve: (order, region) => {
        asked.push(`${order.callId} ${region}`);
        return Promise.reject(new Error('no agent worker'));
      },
    },
  });
  const order = orderOf('486');
  await expect(agentless.prepare(order)).rejects.toThrow('no agent worker');
  expect(asked).toEqual([`${order.callId} default`]);
  await agentless.close();
});

describe('with several regions', () => {
  test('a call goes through the LiveKit of its gateway, and another process finds it there', async () => {
    const [eu, us] = [await FakeLiveKit.start(), await FakeLiveKit.start()];
    const regions = Object.entries({ eu, us }).map(([name, { url, apiKey, apiSecret }]) => ({
      ...{ name, url, apiKey, apiSecret },
    }));
    const open = () =>
      createLiveKitProvider({
        ...{ regions, records: new MemoryRecords(us.rooms), agents: { reserve: () => Promise.resolve() } },
        timing: { pollMs: 30 },
      });
    const [dialer, other] = [open(), open()];
    const order = orderOf('rings for long', { gateway: { ...gateway, region: 'us' } });
    const rang = new Promise<void>((resolve) => void dialer.dial(order, () => resolve()).catch(() => undefined));
    await rang;
    expect([eu.invites, us.invites]).toEqual([[], [order.identity]]);
    expect(await other.reconcile(order)).toBe('live');

    // What is not found in one must not be called absent while another cannot be asked.
    await us.down();
    await expect(other.reconcile(order)).rejects.toThrow('region us');
    await Promise.all([dialer.close(), other.close(), eu.down()]);
  });

  test('`auto` is the first, and one that is not configured is said', async () => {
    const order = orderOf('486', { gateway: { ...gateway, region: 'mars' } });
    await expect(provider.prepare(order)).rejects.toThrow('the region mars');
  });
});
