import type { Database } from '../../db/client.js';
import type { Env } from '../../platform/env.js';
import { liveKitSettings } from '../../platform/livekit.js';
import type { Logger } from '../../platform/logger.js';
import { createTrunkJudge } from './trunk-judge.js';
import type { CallProvider } from '../../telephony/provider.js';
import { createSimulatorProvider } from '../../telephony/simulator/driver.js';

/**
 * Opens the provider that OUTDIAL_PROVIDER names. The simulator is used only if it is named. LiveKit's client is loaded only
 * for LiveKit.
 * @throws if the provider is not set up
 */
export async function createProvider(
  env: Env,
  { database, logger }: { readonly database: Database; readonly logger: Logger },
): Promise<CallProvider> {
  if (env.OUTDIAL_PROVIDER === 'livekit') {
    const regions = liveKitSettings(env);
    if (regions.length > 0) {
      const { openLiveKit } = await import('./livekit.js');
      const judgeTrunk = createTrunkJudge({ allowPrivate: env.OUTDIAL_ALLOW_PRIVATE_SIP });
      return openLiveKit(regions, database, logger, { judgeTrunk });
    }
    throw new Error(
      'OUTDIAL_PROVIDER is livekit, but OUTDIAL_LIVEKIT_URL, OUTDIAL_LIVEKIT_API_KEY and OUTDIAL_LIVEKIT_API_SECRET do ' +
        'not say where it is. For simulated calls, set OUTDIAL_PROVIDER=simulator and OUTDIAL_SIMULATOR_URL.',
    );
  }
  if (env.OUTDIAL_SIMULATOR_URL === undefined) {
    throw new Error('OUTDIAL_PROVIDER is simulator, but OUTDIAL_SIMULATOR_URL does not say where it listens.');
  }
  return createSimulatorProvider({ url: env.OUTDIAL_SIMULATOR_URL });
}
