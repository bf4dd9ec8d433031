import type { AppDeps } from '../../api/operation.js';
import type { Env } from '../../platform/env.js';
import type { CallProvider } from '../../telephony/provider.js';
import { createProvider } from './provider.js';
import type { Closable } from './role.js';

/**
 * What the API asks of the carrier's driver. The API serves everything else without one: it is opened when first asked for,
 * and one that is not set up is said by the answer.
 */
export function openTelephony(
  env: Env,
  parts: Parameters<typeof createProvider>[1],
): AppDeps['telephony'] & { readonly close: Closable } {
  let provider: CallProvider | undefined;
  return {
    checkGateway: async (gateway) => {
      provider ??= createProvider(env, parts);
      return provider.checkGateway(gateway);
    },
    close: async () => {
      await provider?.close();
    },
  };
}
