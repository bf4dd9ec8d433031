import { createServer } from 'node:http';
import { receiveWebhook } from '../../api/livekit-webhook/receive.js';
import { freePort } from '../../embedded/free-port.js';
import { createLiveKitProvider } from '../../telephony/livekit/driver.js';
import type { LegTiming } from '../../telephony/livekit/leg-timing.js';
import type { LiveKitRegion } from '../../telephony/livekit/regions.js';
import type { TrunkEnd } from '../../domain/phone/trunk-end.js';
import type { CallProvider, DialOrder } from '../../telephony/provider.js';
import { type LeftNews, MemoryRecords } from '../integration/livekit/harness.js';
import { orderTo } from '../integration/simulator/carrier-process.js';
import type { LiveKitSipOptions } from '../setup/livekit-sip.js';
import { startTelephony, type TelephonyStack } from './stack.js';

/** The driver's own pace, with time for an agent that never comes: what rows of outcomes are about happens before. */
const unhurried: Partial<LegTiming> = { agentLimitMs: 60_000 };

/** The production driver at a real LiveKit, whose webhooks it hears of. */
export interface SipTestEnv {
  readonly stack: TelephonyStack;
  readonly region: LiveKitRegion;
  readonly records: MemoryRecords;
  connect(timing?: Partial<LegTiming>): CallProvider;
  close(): Promise<void>;
}

/** Needs `canCall` (programs.ts). */
export async function sipTestEnv(options: LiveKitSipOptions = {}): Promise<SipTestEnv> {
  const listeners: Parameters<LeftNews['onLeft']>[0][] = [];
  const records = new MemoryRecords({ onLeft: (listener) => void listeners.push(listener) });
  const hooks = await freePort();
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.end();
      void tell(Buffer.concat(chunks).toString(), request.headers.authorization);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(hooks, '127.0.0.1', resolve));
  const stack = await startTelephony([`http://127.0.0.1:${hooks}/`], options);
  const { url, apiKey, apiSecret } = stack.liveKit;
  const region: LiveKitRegion = { name: 'default', url, apiKey, apiSecret };

  async function tell(body: string, token: string | undefined): Promise<void> {
    const { event } = await receiveWebhook(body, token, [region]);
    const { room, participant, createdAt } = event;
    if (event.event !== 'participant_left' || room === undefined || participant === undefined) return;
    const { identity, attributes, disconnectReason } = participant;
    const left = { identity, kind: 'SIP', attributes, disconnectReason } as const;
    for (const listener of listeners) {
      listener({ room: { name: room.name, sid: room.sid }, participant: left, createdAt: String(createdAt) });
    }
  }

  const opened: CallProvider[] = [];
  return {
    ...{ stack, region, records },
    connect(timing = {}) {
      const provider = createLiveKitProvider({
        ...{ regions: [region], records, agents: { reserve: () => Promise.resolve() } },
        timing: { ...unhurried, ...timing },
      });
      opened.push(provider);
      return provider;
    },
    async close() {
      for (const provider of opened) await provider.close();
      await stack.close();
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}

/** A plain trunk at that address: UDP, no credentials, no encryption. */
export const trunkAt = (address: string, changes: Partial<TrunkEnd> = {}): TrunkEnd => ({
  ...{ id: 'gwo_test', address, transport: 'udp', mediaEncryption: 'disable', region: 'default' },
  ...{ headers: {}, numberFormat: 'e164' },
  ...changes,
});

/** An order by that trunk. */
export const orderBy = (gateway: TrunkEnd, to: string, changes: Partial<DialOrder> = {}): DialOrder =>
  orderTo(to, { gateway, ...changes });
