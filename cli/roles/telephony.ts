import type { AppDeps } from '../../api/operation.js';
import type { Env } from '../../platform/env.js';
import type { CallProvider } from '../../telephony/provider.js';
import { createProvider } from './provider.js';
import type { Closable } from './role.js';

/**
 * The carrier's driver as the API uses it. It is opened on first use: without one the API serves everything else, and an answer
 * says that it is not set up.
 */
export function openTelephony(
  env: Env,
  parts: Parameters<typeof createProvider>[1],
): AppDeps['telephony'] & { readonly close: Closable } {
  let provider: Promise<CallProvider> | undefined;
  return {
    checkGateway: async (gateway) => {
      provider ??= createProvider(env, parts);
      return (await provider).checkGateway(gateway);
    },
    close: async () => {
      // One that could not be opened has nothing to close.
      await (await provider?.catch(() => undefined))?.close();
    },
  };
}
