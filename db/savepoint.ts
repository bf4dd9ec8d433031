import { sql } from 'kysely';
import type { Db } from './client.js';

/**
 * Marks this point of a transaction. It has one mark: a second call moves it.
 *
 * @returns undoes everything that the transaction has done since, and keeps what it did before
 */
export async function savepoint(tx: Db): Promise<() => Promise<void>> {
  await sql`savepoint undo_point`.execute(tx);
  return async () => {
    await sql`rollback to savepoint undo_point`.execute(tx);
  };
}
