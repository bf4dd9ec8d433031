import { sql, type Selectable } from 'kysely';
import type { Db } from '../../client.js';
import type { AuditedAction } from '../../../domain/account/audited-resources.js';
import type { AuditLog } from '../../types.js';
import { countedUpTo, totalBeside, type Total } from '../counted.js';
import { endOfMillisecond, type Rows, shown, skippedBy } from '../rows.js';

export interface AuditEntry {
  readonly accountId: string;
  /** The client's key; null for the operator. */
  readonly keyId: string | null;
  /** Network address of the client; null for the operator. */
  readonly address: string | null;
  readonly action: AuditedAction;
  /** Id of what was changed. */
  readonly target: string;
  /** Facts for readers of the log; never secrets or a callee's data. */
  readonly details?: object;
}

/** Writes down who did what, in the transaction of the change. */
export async function insertAuditEntry(tx: Db, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values({
      account_id: entry.accountId,
      key_id: entry.keyId,
      address: entry.address,
      action: entry.action,
      target: entry.target,
      details: JSON.stringify(entry.details ?? {}),
    })
    .execute();
}

export interface AuditFilter {
  /** Whole actions, such as `agent.deploy`, and resources, such as `agent`; none: all. */
  readonly actions: readonly string[];
  readonly target?: string | undefined;
  readonly keyId?: string | undefined;
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
}

export type AuditRow = Omit<Selectable<AuditLog>, 'account_id'>;

/** A page of the account's audit log, newest first, and how many entries match in all. */
export async function listAuditEntries(
  db: Db,
  accountId: string,
  { actions, target, keyId, from, until }: AuditFilter,
  rows: Rows<string>,
): Promise<{ readonly total: Total; readonly entries: readonly AuditRow[]; readonly next: string | null }> {
  let matching = db.selectFrom('audit_log').where('account_id', '=', accountId);
  if (actions.length > 0) {
    matching = matching.where((where) =>
      where.or(
        actions.map((action) =>
          action.includes('.')
            ? where('action', '=', action)
            : where('action', 'like', sql<string>`${action.replace(/[\\%_]/g, '\\$&')} || '.%'`),
        ),
      ),
    );
  }
  if (target !== undefined) matching = matching.where('target', '=', target);
  if (keyId !== undefined) matching = matching.where('key_id', '=', keyId);
  if (from !== undefined) matching = matching.where('at', '>=', from);
  if (until !== undefined) matching = matching.where('at', '<=', endOfMillisecond(until));
  const following = rows.after === undefined ? matching : matching.where('id', '<', rows.after);
  const [count, found] = await Promise.all([
    rows.counted ?? countedUpTo(db, [sql`${matching.select('id')}`]),
    following
      .select(['id', 'key_id', 'action', 'target', 'address', 'details', 'at'])
      .orderBy('id', 'desc')
      .offset(skippedBy(rows))
      .limit(rows.limit + 1)
      .execute(),
  ]);
  const { rows: entries, next } = shown(found, rows.limit, ({ id }) => id);
  const seen = { offset: rows.offset, rows: entries.length, more: next !== null };
  return { total: totalBeside(count, seen), entries, next };
}
