import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../client.js';
import { ofOneInstant } from '../one-instant.js';
import type { AuditScope, Violation } from './invariants.js';

/**
 * One piece of an audit reads one state of the database, changes nothing, and is soon over: a statement that takes longer than
 * two minutes is ended, because the snapshot of a long one keeps vacuum from its work. If something has a table for itself, the
 * piece does not wait for it for long: later statements on the table would wait behind it.
 */
export const inSnapshot = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  ofOneInstant(db, async (tx) => {
    await sql`select set_config('statement_timeout', '2min', true), set_config('lock_timeout', '5s', true)`.execute(tx);
    return work(tx);
  });

/** Runs a query whose rows are violations, in its own snapshot. */
export async function violationsOf(db: Db, query: RawBuilder<Violation>): Promise<Violation[]> {
  const { rows } = await inSnapshot(db, (tx) => query.execute(tx));
  return rows;
}

/** Condition on a table with `account_id` under this alias. */
export const ofAccount = ({ accountId }: AuditScope, alias: string): RawBuilder<unknown> =>
  accountId === null ? sql`true` : sql`${sql.ref(`${alias}.account_id`)} = ${accountId}`;
