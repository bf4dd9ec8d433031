import { SipClient } from 'livekit-server-sdk';
import { cannotAsk } from './failure.js';
import type { LiveKitRegion } from './regions.js';

const requestSeconds = 5;

/**
 * Asks LiveKit something that only one with a SIP service answers. Whether a LiveKit SIP process stands behind it shows with the
 * first call.
 *
 * @throws ProviderUnreachable with LiveKit's words if it has none
 */
export async function requireSip({ name, url, apiKey, apiSecret }: LiveKitRegion): Promise<void> {
  const sip = new SipClient(url, apiKey, apiSecret, { requestTimeout: requestSeconds, failover: false });
  try {
    await sip.listSipOutboundTrunk();
  } catch (error) {
    throw cannotAsk(error, name);
  }
}
