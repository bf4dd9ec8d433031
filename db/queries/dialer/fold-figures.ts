import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** Notes added up by one transaction. */
const atOnce = 5_000;

/** Adds up what ends of calls have noted for the figures (db/migrations/0056-figures.sql), until nothing is left. */
export async function foldFigures(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ folded: number }>`select fold_figures(${atOnce}) as folded`.execute(db);
    if ((rows[0]?.folded ?? 0) < atOnce) return;
  }
}
