import { RoomServiceClient } from 'livekit-server-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AttemptResult, CallProvider, DialOrder } from '../../telephony/provider.js';
import { certificateFor, openssl } from './certificate.js';
import { type Carrier, type CarrierOptions, type Invite, type Play, startCarrier } from './carrier.js';
import { canCall, withRealCalls } from './programs.js';
import { sipTestEnv, orderBy, type SipTestEnv, trunkAt } from './test-env.js';

const talks: Play = { rings: 180, finally: 200 };
const isShort: Play = { rings: 180, finally: 200, hangsUpAfterMs: 200 };
const isBusy: Play = { finally: 486, phrase: 'Busy Here', afterMs: 10 };
const encrypted = ['m=audio [port] RTP/SAVP 0', 'a=rtpmap:0 PCMU/8000'];
const key = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${Buffer.alloc(30, 5).toString('base64')}`;

describe.skipIf(!canCall)(withRealCalls('what a call looks like on the wire'), () => {
  const certificate = openssl === undefined || !canCall ? undefined : certificateFor('127.0.0.1');
  const carriers: Carrier[] = [];
  let testEnv: SipTestEnv;
  let provider: CallProvider;
  let udp: Carrier;
  const aCarrier = async (plays: Readonly<Record<string, Play>>, options: CarrierOptions = {}): Promise<Carrier> => {
    const carrier = await startCarrier(plays, options);
    carriers.push(carrier);
    return carrier;
  };
  beforeAll(async () => {
    testEnv = await sipTestEnv(certificate === undefined ? {} : { trusts: certificate.certificate });
    provider = testEnv.connect();
    udp = await aCarrier({ '+15550100001': talks, '+15550100002': isShort }, { otherwise: isBusy });
  });
  beforeEach((context) => testEnv.stack.tellLogsOnFailure(context));
  afterAll(async () => {
    await testEnv.close();
    for (const carrier of carriers) await carrier.close();
  });

  /** Dials, and waits for the end. */
  async function sent(carrier: Carrier, order: DialOrder): Promise<{ invites: readonly Invite[]; end: AttemptResult }> {
    const before = carrier.invites().length;
    const end = await provider.dial(order, () => undefined);
    return { invites: carrier.invites().slice(before), end };
  }

  // shows: call.rule-decides
  test('headers of the gateway and of the call are in the INVITE, the call’s above the gateway’s', async () => {
    const gateway = trunkAt(udp.address, { headers: { 'X-Trunk': 'one', 'X-Both': 'gateway' } });
    const headers = { 'X-Both': 'call', 'P-Asserted-Identity': '<sip:+15550100000@carrier.example>' };
    const { invites } = await sent(udp, orderBy(gateway, '+15550109001', { headers }));
    expect(invites[0]?.headers).toMatchObject({
      ...{ 'x-trunk': 'one', 'x-both': 'call', 'p-asserted-identity': '<sip:+15550100000@carrier.example>' },
    });
  });

  test('headers that are too long for a packet fail the call by UDP, not the gateway; TCP carries them', async () => {
    const headers = { 'X-Long': 'x'.repeat(1_000) };
    const byUdp = await sent(udp, orderBy(trunkAt(udp.address), '+15550109003', { headers }));
    expect(byUdp.invites).toEqual([]);
    expect(byUdp.end).toMatchObject({ how: 'refused', rang: false, reason: 'headers_too_long_for_udp' });
    const tcp = await aCarrier({}, { transport: 'tcp', otherwise: isBusy });
    const byTcp = await sent(tcp, orderBy(trunkAt(tcp.address, { transport: 'tcp' }), '+15550109003', { headers }));
    expect(byTcp.invites[0]?.headers['x-long']).toBe(headers['X-Long']);
    expect(byTcp.end).toMatchObject({ how: 'refused', sipStatusCode: 486 });
  });

  test('a header of more than 1,024 characters, which LiveKit SIP does not take, fails the call, not the gateway', async () => {
    const order = orderBy(trunkAt(udp.address), '+15550109004', { headers: { 'X-Long': 'x'.repeat(1_025) } });
    const { invites, end } = await sent(udp, order);
    expect(invites).toEqual([]);
    expect(end).toMatchObject({ how: 'refused', rang: false, reason: 'invalid_header' });
  });

  test('fromHost is the host of From', async () => {
    const gateway = trunkAt(udp.address, { fromHost: 'sip.customer.example' });
    const { invites } = await sent(udp, orderBy(gateway, '+15550109002'));
    expect(invites[0]?.headers.from).toMatch(/<sip:\+15550100000@sip\.customer\.example(:\d+)?[;>]/);
  });

  test.each([
    ['e164', '+442079460123', '+442079460999'],
    ['e164_without_plus', '442079460123', '442079460999'],
    ['national', '02079460123', '02079460999'],
  ] as const)('numbers go out as the trunk wants them: %s', async (numberFormat, to, from) => {
    const gateway = trunkAt(udp.address, { numberFormat });
    const order = orderBy(gateway, '+442079460123', { from: '+442079460999' });
    const { invites } = await sent(udp, order);
    expect(invites[0]).toMatchObject({ to, from });
  });

  test('a call has one INVITE, and its ring timeout ends it with one CANCEL', async () => {
    const rings = await aCarrier({ '+15550100009': { rings: 180 } });
    const order = orderBy(trunkAt(rings.address), '+15550100009', { ringTimeoutSeconds: 1 });
    const { invites } = await sent(rings, order);
    expect(invites).toHaveLength(1);
    expect(rings.received('CANCEL')).toHaveLength(1);
  });

  test.each([true, false])('a hidden number is hidden in the room: %s', async (hidePhoneNumber) => {
    const order = orderBy(trunkAt(udp.address), '+15550100001', { hidePhoneNumber });
    let answered: () => void = () => undefined;
    const isAnswered = new Promise<void>((resolve) => {
      answered = resolve;
    });
    const end = provider.dial(order, ({ type }) => type === 'answered' && answered());
    await isAnswered;
    const { url, apiKey, apiSecret } = testEnv.region;
    const participants = await new RoomServiceClient(url, apiKey, apiSecret).listParticipants(order.room);
    const callee = participants.find(({ identity }) => identity === order.identity);
    expect(callee).toBeDefined();
    expect(JSON.stringify({ ...callee?.attributes, name: callee?.name }).includes('15550100001')).toBe(
      !hidePhoneNumber,
    );
    await provider.hangUp(order, 'ended_by_api');
    expect(await end).toMatchObject({ how: 'ended', reason: 'ended_by_api' });
  });

  test('by TCP a call rings, is answered and ends as by UDP', async () => {
    const carrier = await aCarrier({ '+15550100002': isShort }, { transport: 'tcp' });
    const { invites, end } = await sent(
      carrier,
      orderBy(trunkAt(carrier.address, { transport: 'tcp' }), '+15550100002'),
    );
    expect(end).toMatchObject({ how: 'ended', rang: true, reason: 'callee_hung_up' });
    expect(invites).toHaveLength(1);
    expect(invites[0]?.headers.via).toContain('SIP/2.0/TCP');
  });

  test.skipIf(certificate === undefined)('by TLS too, if the certificate is trusted (OPENSSL_BIN)', async () => {
    const options = certificate === undefined ? {} : { transport: 'tls' as const, certificate };
    const carrier = await aCarrier({ '+15550100002': isShort }, options);
    const { invites, end } = await sent(
      carrier,
      orderBy(trunkAt(carrier.address, { transport: 'tls' }), '+15550100002'),
    );
    expect(end).toMatchObject({ how: 'ended', rang: true, reason: 'callee_hung_up' });
    expect(invites).toHaveLength(1);
    expect(invites[0]?.headers.via).toContain('SIP/2.0/TLS');
  });

  describe('encryption', () => {
    const order = (carrier: Carrier, mediaEncryption: 'enable' | 'disable', to: string) =>
      orderBy(trunkAt(carrier.address, { transport: 'tcp', mediaEncryption }), to);
    const number = { plain: '+15550100003', encrypted: '+15550100004' };
    let tcp: Carrier;
    beforeAll(async () => {
      const plays = { [number.plain]: isShort, [number.encrypted]: { ...isShort, media: [...encrypted, key] } };
      tcp = await aCarrier(plays, { transport: 'tcp' });
    });

    test('required is offered, and a callee that takes it is talked to', async () => {
      const { invites, end } = await sent(tcp, order(tcp, 'enable', number.encrypted));
      expect(invites[0]?.body).toMatch(/^m=audio \d+ RTP\/SAVP /m);
      expect(invites[0]?.body).toMatch(/^a=crypto:\d+ AES_\S+ inline:\S+/m);
      expect(end).toMatchObject({ how: 'ended', reason: 'callee_hung_up' });
    });

    test('required and answered in the clear ends the call at once: the trunk is set up wrongly', async () => {
      const { end } = await sent(tcp, order(tcp, 'enable', number.plain));
      expect(end).toMatchObject({ how: 'gateway_fault', reason: expect.stringContaining('encryption') });
      expect(tcp.received('BYE')).toHaveLength(1);
    });

    test('not wanted is not offered', async () => {
      const { invites, end } = await sent(tcp, order(tcp, 'disable', number.plain));
      expect(invites[0]?.body).toMatch(/^m=audio \d+ RTP\/AVP /m);
      expect(invites[0]?.body).not.toContain('a=crypto');
      expect(end).toMatchObject({ how: 'ended' });
    });

    test('by UDP, its offer and the credentials do not fit into a packet: the reason says so', async () => {
      const credentials = { username: 'trunk', password: 'a-secret-of-the-trunk' };
      const asking = await aCarrier({ '+15550100002': isShort }, { credentials });
      const gateway = trunkAt(asking.address, { mediaEncryption: 'enable', auth: credentials });
      const { invites, end } = await sent(asking, orderBy(gateway, '+15550100002'));
      expect(end).toMatchObject({ how: 'gateway_fault', reason: expect.stringContaining('MTU') });
      expect(invites).toHaveLength(1);
    });
  });
});
