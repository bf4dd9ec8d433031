import { sql } from 'kysely';
import type { Db } from '../../client.js';
import { countedUpTo, totalBeside, type Total } from '../counted.js';
import { instantOf, microsecondsOf, type Rows, shown, skippedBy } from '../rows.js';
import { takeDialingLock } from '../dialer/dialing-lock.js';
import { containing } from '../search-pattern.js';

export interface DoNotCallRow {
  readonly e164: string;
  readonly reason: string | null;
  readonly createdAt: Date;
}

/** Numbers that one statement takes. */
const numbersAtOnce = 20_000;

/**
 * Puts numbers on the account's list; those on it stay as they are. After the commit no gate lets a call to any of them
 * through.
 *
 * @param numbers E.164, each once
 * @returns how many were not on it
 */
export async function addToDoNotCallList(
  tx: Db,
  accountId: string,
  numbers: readonly string[],
  reason: string | null,
): Promise<number> {
  let added = 0n;
  // In one order, so that two uploads of the same numbers cannot wait for each other.
  const ordered = [...numbers].sort();
  for (let from = 0; from < ordered.length; from += numbersAtOnce) {
    const { numAffectedRows = 0n } = await sql`
      insert into do_not_call (account_id, e164, reason)
      select ${accountId}, e164, ${reason} from unnest(${ordered.slice(from, from + numbersAtOnce)}::text[]) as n (e164)
      on conflict do nothing`.execute(tx);
    added += numAffectedRows;
  }
  await takeDialingLock(tx, accountId);
  return Number(added);
}

/** Where an entry stands: microseconds of its creation, and its number. */
export type DoNotCallPlace = readonly [string, string];

/** A page of the list, newest first, and how many entries match. `search`: part of number or reason; empty: all. */
export async function listDoNotCall(
  db: Db,
  accountId: string,
  search: string,
  asked: Rows<DoNotCallPlace>,
): Promise<{
  readonly total: Total;
  readonly rows: readonly DoNotCallRow[];
  readonly next: DoNotCallPlace | null;
}> {
  const pattern = containing(search);
  const matching = sql`account_id = ${accountId} ${
    search === '' ? sql`` : sql`and (e164 like ${pattern} or reason ilike ${pattern})`
  }`;
  const { offset, limit, after } = asked;
  const at = after === undefined ? null : instantOf(after[0]);
  const following = at === null ? sql`` : sql`and created_at <= ${at} and (created_at < ${at} or e164 > ${after?.[1]})`;
  const [count, page] = await Promise.all([
    asked.counted ?? countedUpTo(db, [sql`select 1 from do_not_call where ${matching}`]),
    sql<DoNotCallRow & { readonly at: string }>`
      select e164, reason, created_at as "createdAt", ${microsecondsOf(sql`created_at`)} as at
      from do_not_call where ${matching} ${following}
      order by created_at desc, e164 offset ${skippedBy(asked)} limit ${limit + 1}`.execute(db),
  ]);
  const { rows, next } = shown(page.rows, limit, (row): DoNotCallPlace => [row.at, row.e164]);
  return { total: totalBeside(count, { offset, rows: rows.length, more: next !== null }), rows, next };
}

export async function findDoNotCall(db: Db, accountId: string, e164: string): Promise<DoNotCallRow | null> {
  const { rows } = await sql<DoNotCallRow>`
    select e164, reason, created_at as "createdAt" from do_not_call
    where account_id = ${accountId} and e164 = ${e164}`.execute(db);
  return rows[0] ?? null;
}

/** Takes a number off the list. @returns whether it was on it */
export async function removeFromDoNotCallList(tx: Db, accountId: string, e164: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('do_not_call')
    .where('account_id', '=', accountId)
    .where('e164', '=', e164)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
