import type { Db } from '../db/client.js';
import { inHalves } from '../db/in-halves.js';
import { giveBackUnsent } from '../db/queries/dialer/release-attempts.js';
import { wakeGateways } from '../db/queries/dialer/wake-gateways.js';
import type { Logger } from '../platform/logger.js';
import type { PendingDial } from './pending-dial.js';
import { idsOf, idsOfSeveral } from './log-ids.js';
import { createWakeSignal } from './wake-signal.js';

export interface Unsent {
  /** The gate's answer about these was lost: their INVITEs were not sent and never will be. */
  add(dials: readonly PendingDial[]): void;
  /** Tries again, once. Another dialer takes over the rest and asks the provider. */
  close(): Promise<void>;
}

const againMs = 500;

/**
 * Gives back attempts whose answer from the gate was lost. The database may have let them out, but this process knows that it
 * sent nothing: no carrier has to be asked. Their claim guards them: one that another dialer has taken over since stays there.
 *
 * @param neverSent called with those that had passed the gate
 */
export function createUnsent(deps: {
  readonly db: Db;
  readonly neverSent: (pendingDial: PendingDial) => void;
  readonly logger: Logger;
}): Unsent {
  let left: readonly PendingDial[] = [];
  const life = { closed: false };
  const wake = createWakeSignal();

  async function giveBack(some: readonly PendingDial[]): Promise<void> {
    const passed = new Set(
      await giveBackUnsent(
        deps.db,
        some.map(({ attempt, order }) => ({ ...attempt, invite: order.invite })),
      ),
    );
    left = left.filter((pendingDial) => !some.includes(pendingDial));
    for (const pendingDial of some) if (passed.has(pendingDial.attempt.claimId)) deps.neverSent(pendingDial);
  }

  async function giveBackAll(): Promise<void> {
    const all = left;
    await inHalves(all, giveBack, (pendingDial, error) => {
      left = left.filter((each) => each !== pendingDial);
      deps.logger.error(
        { err: error, ...idsOf(pendingDial.attempt) },
        'an unsent call cannot be given back to the queue; it is looked for later among what was lost',
      );
    });
    await wakeGateways(
      deps.db,
      all.map(({ attempt }) => attempt.gatewayId),
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
        await giveBackAll();
      } catch (error) {
        deps.logger.warn(
          { err: error, ...idsOfSeveral(left.map(({ attempt }) => attempt)) },
          'unsent calls could not be given back to the queue; trying again',
        );
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
