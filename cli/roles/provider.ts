import type { Env } from '../../platform/env.js';
import type { CallProvider } from '../../telephony/provider.js';
import { createSimulatorProvider } from '../../telephony/simulator/driver.js';

/**
 * What carries calls, as OUTDIAL_PROVIDER says. The simulator is never fallen back on: it has to be named.
 * @throws where the carrier named is not set up
 */
export function createProvider(env: Env): CallProvider {
  if (env.OUTDIAL_PROVIDER === 'livekit') {
    throw new Error(
      'This version has no LiveKit driver yet: it can only carry calls by the simulator. Set OUTDIAL_PROVIDER=simulator ' +
        'and OUTDIAL_SIMULATOR_URL where simulated calls are what you want.',
    );
  }
  if (env.OUTDIAL_SIMULATOR_URL === undefined) {
    throw new Error('OUTDIAL_PROVIDER is simulator, but OUTDIAL_SIMULATOR_URL does not say where it listens.');
  }
  return createSimulatorProvider({ url: env.OUTDIAL_SIMULATOR_URL });
}
