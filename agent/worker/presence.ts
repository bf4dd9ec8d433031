import { announceAgentWorker, type AgentWorkerState, withdrawAgentWorker } from '../../db/queries/agents/workers.js';
import type { Db } from '../../db/client.js';
import type { Logger } from '../../platform/logger.js';

export interface Presence {
  /** The slots that were announced last. */
  readonly slots: number;
  /** Says at once, and from then on every few seconds, how many calls the worker takes; 0: none for now, and why. */
  offer(slots: number, state: AgentWorkerState): Promise<void>;
  /** The worker leaves: its slots no longer count. */
  withdraw(): Promise<void>;
}

/** Others count on a worker for 20 s after it was last seen (db/functions/02-agent-slots.sql). */
const everyMs = 5_000;

/** Announces a worker's slots in Postgres, which dialers and deploys read. */
export function announcePresence(
  db: Db,
  worker: { readonly id: string; readonly region: string; readonly mostSlots: number; readonly used: () => number },
  logger: Logger,
): Presence {
  let slots = 0;
  let state: AgentWorkerState = 'warming';
  let timer: NodeJS.Timeout | undefined;
  let isGone = false;
  let said = Promise.resolve();
  /** One after the other: what is said last must be what is read. */
  const announce = (): Promise<void> =>
    (said = said.then(() =>
      announceAgentWorker(db, { ...worker, slots, state, used: worker.used() }).catch((error: unknown) =>
        logger.warn({ err: error }, 'the worker could not announce its slots'),
      ),
    ));
  return {
    get slots() {
      return slots;
    },
    async offer(offered, as) {
      if (isGone) return;
      slots = offered;
      state = as;
      timer ??= setInterval(() => void announce(), everyMs);
      await announce();
    },
    async withdraw() {
      clearInterval(timer);
      isGone = true;
      await said;
      await withdrawAgentWorker(db, worker.id);
    },
  };
}
