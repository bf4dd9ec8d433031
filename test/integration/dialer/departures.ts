import type { CallProvider } from '../../../telephony/provider.js';

/**
 * A provider that notes when each INVITE leaves. When it arrives depends on how busy the machine is, and says nothing about
 * the pace of the dialers.
 *
 * @param leftMs gets the instants, by this process's clock
 */
export function notingDepartures(provider: CallProvider, leftMs: number[]): CallProvider {
  return {
    ...provider,
    dial(order, on) {
      leftMs.push(performance.now());
      return provider.dial(order, on);
    },
  };
}

/** The most INVITEs that left within one second, which is taken a twentieth shorter: a busy process may pause as it sends. */
export const mostInASecond = (leftMs: readonly number[]): number =>
  Math.max(...leftMs.map((at) => leftMs.filter((other) => other >= at && other < at + 950).length));
