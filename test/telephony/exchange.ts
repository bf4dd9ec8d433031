import { freePort } from '../../embedded/free-port.js';
import { type Carrier, startCarrier } from './carrier.js';
import { type Outdial, startOutdial, webhookUrlAt } from './service.js';
import { startTelephony, type TelephonyStack } from './stack.js';

/** Everything that a call goes through: LiveKit with its SIP, Outdial with real agents, and the carrier's telephones. */
export interface Exchange {
  readonly stack: TelephonyStack;
  readonly outdial: Outdial;
  readonly carrier: Carrier;
  close(): Promise<void>;
}

/**
 * @param telephones what the carrier does, by number
 * @param agents calls that are talked to at once
 */
export async function startExchange(telephones: Parameters<typeof startCarrier>[0], agents: number): Promise<Exchange> {
  const apiPort = await freePort();
  const stack = await startTelephony([webhookUrlAt(apiPort)]);
  const outdial = await startOutdial({ apiPort, liveKit: stack.liveKit, agents });
  const carrier = await startCarrier(telephones);
  return {
    ...{ stack, outdial, carrier },
    async close() {
      await carrier.close();
      await outdial.close();
      await stack.close();
    },
  };
}
