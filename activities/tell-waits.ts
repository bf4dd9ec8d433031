import { countsOf } from '../db/queries/batches/batches.js';
import { batchesToTell, noteTold, type ToldBatch } from '../db/queries/upkeep/told-waits.js';
import { mainReasons } from '../domain/batch/waiting.js';
import { waitingSentence } from '../domain/batch/waiting-sentence.js';
import { waitsOf } from '../domain/batch/waiting-row.js';
import type { ActivityDeps } from './deps.js';
import { inPages } from './in-pages.js';

/** Counts that a workflow shows grow old: it is told again after this time, also if the reasons are the same. */
const staleSeconds = 3_600;

/**
 * Tells workflows of running batches what their recipients wait for, as their details show it in Temporal: when the reasons that
 * matter have changed, seldom otherwise. One that cannot be told, or is told twice, does no harm: the next round looks again.
 */
export async function tellWaits({
  database: { db },
  workflows,
  deploy,
  logger,
}: Pick<ActivityDeps, 'database' | 'workflows' | 'deploy' | 'logger'>): Promise<void> {
  async function tell(batch: ToldBatch): Promise<void> {
    const now = new Date();
    const { waits, total } = waitsOf(batch, deploy, now);
    const reasons = mainReasons(waits, total).join();
    const stale = (batch.toldSecondsAgo ?? 0) > staleSeconds;
    if (reasons === (batch.told ?? '') && !stale) return;
    const told = { at: now.toISOString(), waitingFor: waitingSentence(waits, now), counts: countsOf(batch) };
    if ((await workflows.signal(batch.id, 'waits', told)) === 'taken') await noteTold(db, batch.id, reasons);
  }

  await inPages(
    (after) => batchesToTell(db, after),
    ({ id }) => id,
    (batch) =>
      tell(batch).catch((error: unknown) => {
        logger.warn(
          { err: error, accountId: batch.accountId, batchId: batch.id },
          'a workflow could not be told what its batch waits for',
        );
      }),
  );
}
