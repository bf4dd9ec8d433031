import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createLiveKitProvider } from '../../../telephony/livekit/driver.js';
import type { TargetOrder } from '../../../telephony/provider.js';
import { send } from './twirp.js';

const servers: Server[] = [];
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A LiveKit that does what it is asked; `asked` says what that was. */
async function aLiveKit(name: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url?.split('/').at(-1) ?? '');
    send(response, { body: { participantIdentity: 'target_1' } });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, region: { name, url, apiKey: 'APItest', apiSecret: 'a-secret-of-thirty-two-characters!' } };
}

async function twoRegions() {
  const [first, second] = [await aLiveKit('mumbai'), await aLiveKit('frankfurt')];
  const nothing = { ringingAt: null, answeredAt: null, hangUpReason: null, disconnect: null };
  const provider = createLiveKitProvider({
    regions: [first.region, second.region],
    records: { of: () => Promise.resolve(nothing), onRoomEvent: () => () => undefined },
    agents: { reserve: () => Promise.resolve() },
  });
  closers.push(() => provider.close());
  return { provider, first, second };
}

const leg = {
  callId: '01990c5e-7d2a-7c31-9f0e-3b6a4d1c8e52',
  attempt: 1,
  invite: 1,
  gatewayId: 'gwo_1',
  room: 'inbound_1',
};
const order: TargetOrder = {
  ...{ leg: { ...leg, inboundRegion: 'frankfurt' }, transferId: '1', room: 'target_room', identity: 'target_1' },
  ...{ to: '+15550800001', from: '+15550100001', headers: {}, hidePhoneNumber: false },
  gateway: {
    ...{ id: 'gwo_1', address: '127.0.0.1', transport: 'udp', mediaEncryption: 'disable', region: 'frankfurt' },
    ...{ headers: {}, numberFormat: 'e164' },
  },
  ...{ ringTimeoutSeconds: 30, maxCallSeconds: 600 },
};

describe('a warm transfer by LiveKit of a call that came in', () => {
  test('asks the region that has the caller alone, also to hang the target up', async () => {
    const { provider, first, second } = await twoRegions();
    await provider.askToHold(order.leg);
    await provider.prepareTarget(order);
    expect(await provider.callTarget(order)).toBe('answered');
    await provider.hangUpTarget(order);
    expect(second.asked).toEqual(['ListParticipants', 'CreateRoom', 'CreateSIPParticipant', 'DeleteRoom']);
    expect(first.asked).toEqual([]);
  });

  test('does not do so for a call that was dialed and may be anywhere: its target is hung up in every region', async () => {
    const { provider, first, second } = await twoRegions();
    await provider.hangUpTarget({ ...order, leg });
    expect([first.asked, second.asked]).toEqual([['DeleteRoom'], ['DeleteRoom']]);
  });
});
