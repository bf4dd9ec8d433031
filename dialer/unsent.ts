import type { Db } from '../db/client.js';
import { giveBackUnsent } from '../db/queries/dialer/release-attempts.js';
import { wakeGateways } from '../db/queries/dialer/wake-gateways.js';
import type { Logger } from '../platform/logger.js';
import { keyOf, type PendingDial } from './pending-dial.js';
import { createWakeSignal } from './wake-signal.js';

export interface Unsent {
  /** The gate's answer about these was lost; nothing of them was sent, and nothing of them will be. */
  add(dials: readonly PendingDial[]): void;
  /** Tries once more, and then leaves what is left to who asks the provider. */
  close(): Promise<void>;
}

const againMs = 500;

/**
 * Attempts of which this process knows that it sent nothing, though the database may say that they were let out: their
 * gate's answer was lost. They go back to the queue by this process's own word, guarded by their claim; whoever has taken
 * one over meanwhile keeps it.
 *
 * @param neverSent told of those that had passed the gate
 */
export function createUnsent(deps: {
  readonly db: Db;
  readonly neverSent: (pendingDial: PendingDial) => void;
  readonly logger: Logger;
}): Unsent {
  let left: readonly PendingDial[] = [];
  const life = { closed: false };
  const wake = createWakeSignal();

  async function giveBack(): Promise<void> {
    const some = left;
    const passed = new Set(
      await giveBackUnsent(
        deps.db,
        some.map(({ attempt, order }) => ({ ...keyOf(attempt), invite: order.invite })),
      ),
    );
    left = left.filter((pendingDial) => !some.includes(pendingDial));
    for (const pendingDial of some) if (passed.has(pendingDial.attempt.claim_id)) deps.neverSent(pendingDial);
    await wakeGateways(
      deps.db,
      some.map(({ attempt }) => attempt.gateway_id),
    );
  }

  const running = (async () => {
    for (;;) {
      if (left.length === 0) {
        if (life.closed) return;
        await wake.wait(60_000);
        continue;
      }
      try {
        await giveBack();
      } catch (error) {
        deps.logger.warn({ err: error, calls: left.length }, 'calls that were not sent could not be given back');
        if (life.closed) return;
        await wake.wait(againMs);
      }
    }
  })();

  return {
    add(dials) {
      left = [...left, ...dials];
      wake.ring();
    },
    async close() {
      life.closed = true;
      wake.ring();
      await running;
    },
  };
}
