import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../client.js';
import type { AuditScope, Violation } from './invariants.js';

/** One piece of an audit reads one state of the database, changes nothing, and is soon over. */
export const inSnapshot = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);

/** Runs a query whose rows are violations, in a snapshot of its own. */
export async function violationsOf(db: Db, query: RawBuilder<Violation>): Promise<Violation[]> {
  const { rows } = await inSnapshot(db, (tx) => query.execute(tx));
  return rows;
}

/** Condition on a table with `account_id` under this alias. */
export const ofAccount = ({ accountId }: AuditScope, alias: string): RawBuilder<unknown> =>
  accountId === null ? sql`true` : sql`${sql.ref(`${alias}.account_id`)} = ${accountId}`;
