import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { receiveWebhook } from '../../../api/livekit-webhook/receive.js';
import { createLiveKitClient } from '../../../telephony/livekit/client.js';
import { createLiveKitProvider } from '../../../telephony/livekit/driver.js';
import type { LiveKitRegion } from '../../../telephony/livekit/regions.js';
import { ProviderUnreachable } from '../../../telephony/provider.js';
import { findLiveKitServer, type LiveKitServer, startLiveKitServer } from '../../setup/livekit-server.js';
import { orderOf } from './harness.js';
import { soon } from '../../setup/soon.js';

const program = findLiveKitServer();

describe.skipIf(program === undefined)('a real LiveKit server without SIP (LIVEKIT_SERVER_BIN)', () => {
  const told: { body: string; token: string | undefined }[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      told.push({ body: Buffer.concat(chunks).toString(), token: request.headers.authorization });
      response.end();
    });
  });
  let server: LiveKitServer;
  let region: LiveKitRegion;

  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    server = await startLiveKitServer(program ?? '', [`http://127.0.0.1:${port}/`]);
    region = { name: 'default', url: server.url, apiKey: server.apiKey, apiSecret: server.apiSecret };
  });
  afterAll(async () => {
    await server.close();
    receiver.closeAllConnections();
    receiver.close();
  });

  const driver = (change: Partial<LiveKitRegion> = {}) =>
    createLiveKitProvider({
      regions: [{ ...region, ...change }],
      records: {
        of: () => Promise.resolve({ ringingAt: null, answeredAt: null, hangUpReason: null, disconnect: null }),
        onRoomEvent: () => () => undefined,
      },
      agents: { reserve: () => Promise.resolve() },
    });

  test('takes rooms twice, and has no participant in them to hang up', async () => {
    const provider = driver();
    const order = orderOf('486');
    await provider.prepare(order);
    await provider.prepare(order);
    expect(await provider.reconcile(order)).toBe('absent');
    await expect(provider.hangUp(order, 'lost')).resolves.toBeUndefined();
    expect(await provider.transfer(order, '+15550100001')).toMatchObject({ transferred: false });
    expect(await provider.checkGateway(order.gateway)).toMatchObject({ reachable: false });
    await provider.close();
  });

  test('keeps the dispatch of a call, finds it again, and drops it', async () => {
    const client = createLiveKitClient(region);
    await client.createRoom('room-of-a-job', 'a-call');
    const id = await client.dispatch('room-of-a-job', 'a-call');
    expect(await client.dispatchOf('room-of-a-job', 'a-call')).toBe(id);
    expect(await client.dispatchOf('room-of-a-job', 'another-call')).toBeNull();
    await client.dropDispatch('room-of-a-job', id);
    expect(await client.dispatchOf('room-of-a-job', 'a-call')).toBeNull();
    await client.dropRoom('room-of-a-job');
  });

  test('refuses a dial without SIP, and nothing was sent', async () => {
    const provider = driver();
    const dialing = provider.dial(orderOf('486'), () => undefined);
    await expect(dialing).rejects.toMatchObject({ name: 'ProviderUnreachable', unsent: 'no_sip_server' });
    await provider.close();
  });

  test('refuses another secret, and the token stays out of what is said of it', async () => {
    const provider = driver({ apiSecret: 'y'.repeat(40) });
    const order = orderOf('486');
    const asks = [
      () => provider.prepare(order),
      () => provider.dial(order, () => undefined),
      () => provider.reconcile(order),
    ];
    for (const ask of asks) {
      const error: unknown = await ask().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ProviderUnreachable);
      expect(String(error)).toContain('does not accept the API key');
      expect(String(error)).not.toContain('eyJ');
    }
    await provider.close();
  });

  test('signs its webhooks as they are verified', async () => {
    await createLiveKitClient(region).createRoom('room-with-a-webhook', 'a-call');
    await vi.waitFor(() => expect(told.some(({ body }) => body.includes('room-with-a-webhook'))).toBe(true), soon);
    const { body = '', token } = told.find((each) => each.body.includes('room-with-a-webhook')) ?? {};
    const { event } = await receiveWebhook(body, token, [region]);
    expect([event.event, event.room?.name]).toEqual(['room_started', 'room-with-a-webhook']);
    await expect(receiveWebhook(`${body} `, token, [region])).rejects.toThrow('not over this body');
  });
});
