import { sql } from 'kysely';
import type { Db } from '../../client.js';
import { isAboutItsData } from '../../data-fault.js';

/** Notes added up by one transaction. */
const atOnce = 5_000;

/** The calls of a batch, or the single calls of an account. */
interface FoldedCalls {
  readonly accountId: string;
  /** Empty: single calls. */
  readonly batchId: string;
}

/**
 * Adds up what ends of calls have noted for the figures (db/migrations/0056-figures.sql), until nothing is left. If PostgreSQL refuses a
 * note, or what it adds up to, this is done batch by batch: no other batch waits for it.
 *
 * @param refused told of each batch whose notes stay, until they can be added up
 */
export async function foldFigures(
  db: Db,
  refused: (calls: FoldedCalls, error: unknown) => void = () => undefined,
): Promise<void> {
  try {
    await fold(db, null);
  } catch (error) {
    if (!isAboutItsData(error)) throw error;
    for (const calls of await withNotes(db)) {
      await fold(db, calls).catch((fault: unknown) => {
        if (!isAboutItsData(fault)) throw fault;
        refused(calls, fault);
      });
    }
  }
}

async function fold(db: Db, calls: FoldedCalls | null): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ folded: number }>`
      select fold_figures(${atOnce}, ${calls?.accountId ?? null}, ${calls?.batchId ?? null}) as folded`.execute(db);
    if ((rows[0]?.folded ?? 0) < atOnce) return;
  }
}

async function withNotes(db: Db): Promise<FoldedCalls[]> {
  const { rows } = await sql<FoldedCalls>`
    select distinct account_id as "accountId", batch_id as "batchId" from figure_changes order by 1, 2`.execute(db);
  return rows;
}
