import { decodeJwt, type JWTPayload } from 'jose';
import { WebhookReceiver, type WebhookEvent } from 'livekit-server-sdk';
import type { LiveKitSetting } from '../../platform/livekit.js';

/** A webhook that is not from one of our LiveKits, or no longer: nothing of it is believed. */
export class NotFromLiveKit extends Error {
  override readonly name = 'NotFromLiveKit';
}

function claimsOf(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    throw new NotFromLiveKit('no token');
  }
}

/**
 * Verifies a webhook: signed by the key of one of our LiveKits, over exactly this body, and not expired. The same one sent
 * twice is accepted twice within the minutes that its token lives: what is stored of it must not depend on how often.
 *
 * @param token Authorization header as it came
 * @returns what it says, and which region's LiveKit says it
 * @throws NotFromLiveKit
 */
export async function receiveWebhook(
  body: string,
  token: string | undefined,
  regions: readonly LiveKitSetting[],
): Promise<{ readonly event: WebhookEvent; readonly region: string }> {
  const bare = (token ?? '').replace(/^Bearer /i, '');
  const issuer = claimsOf(bare).iss;
  for (const { name, apiKey, apiSecret } of regions.filter((region) => region.apiKey === issuer)) {
    try {
      return { event: await new WebhookReceiver(apiKey, apiSecret).receive(body, bare), region: name };
    } catch {
      // Perhaps another region has a key of the same name.
    }
  }
  throw new NotFromLiveKit('not signed by a key of ours, not over this body, or expired');
}
