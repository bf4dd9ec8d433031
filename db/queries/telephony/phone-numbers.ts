import { sql, type Selectable } from 'kysely';
import { conflict } from '../../../domain/errors.js';
import type { Db } from '../../client.js';
import type { PhoneNumbers } from '../../types.js';
import { containing } from '../search-pattern.js';

export type PhoneNumberRow = Selectable<PhoneNumbers>;

export interface NewNumber {
  readonly id: string;
  readonly e164: string;
  readonly name: string;
  readonly countryCode: string | null;
}

/** Locks those of these numbers that the account has, in the order of the numbers. */
export async function lockNumbersForUpdate(
  tx: Db,
  accountId: string,
  e164s: readonly string[],
): Promise<Map<string, PhoneNumberRow>> {
  const rows = await tx
    .selectFrom('phone_numbers')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('e164', '=', sql<string>`any(${[...e164s]}::text[])`)
    .orderBy('e164')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.e164, row]));
}

/** A number that is being released is there when it is looked for and gone when it is locked: looked for again. */
const mostRounds = 5;

/**
 * Adds numbers to the account, or takes existing ones, and locks them until the transaction ends. Always in the
 * order of the numbers, so that two requests over the same ones wait for each other and do not deadlock.
 *
 * @throws Failure `conflict` if others keep releasing one of them
 */
export async function registerNumbers(
  tx: Db,
  accountId: string,
  numbers: readonly NewNumber[],
): Promise<Map<string, PhoneNumberRow>> {
  if (numbers.length === 0) return new Map();
  const inOrder = [...numbers].sort((a, b) => (a.e164 < b.e164 ? -1 : 1));
  for (let round = 0; round < mostRounds; round++) {
    await tx
      .insertInto('phone_numbers')
      .values(
        inOrder.map(({ id, e164, name, countryCode }) => ({
          id,
          account_id: accountId,
          e164,
          name,
          country_code: countryCode,
        })),
      )
      .onConflict((conflict) => conflict.columns(['account_id', 'e164']).doNothing())
      .execute();
    const rows = await lockNumbersForUpdate(
      tx,
      accountId,
      inOrder.map(({ e164 }) => e164),
    );
    if (rows.size === numbers.length) return rows;
  }
  throw conflict('Some of these numbers are being released. Retry the request.');
}

/** Renames numbers that the account had already. */
export async function renameNumbers(tx: Db, accountId: string, ids: readonly string[], name: string): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('phone_numbers')
    .set({ name, updated_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
}

export interface NumberFilter {
  /** Anywhere in number or name, whatever its case. */
  readonly search?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** A page of the account's numbers, newest first. */
export async function listNumbers(
  db: Db,
  accountId: string,
  { search, offset, limit }: NumberFilter,
): Promise<{ total: number; rows: PhoneNumberRow[] }> {
  let numbers = db.selectFrom('phone_numbers').where('account_id', '=', accountId);
  if (search !== undefined) {
    const pattern = containing(search);
    numbers = numbers.where((where) => where.or([where('e164', 'ilike', pattern), where('name', 'ilike', pattern)]));
  }
  const { total } = await numbers
    .select((select) => select.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await numbers
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return { total: Number(total), rows };
}

/** A number of the account by its id or its E.164; null if there is none. */
export async function findNumber(db: Db, accountId: string, idOrE164: string): Promise<PhoneNumberRow | null> {
  const row = await db
    .selectFrom('phone_numbers')
    .selectAll()
    .where('account_id', '=', accountId)
    .where((where) => (idOrE164.startsWith('+') ? where('e164', '=', idOrE164) : where('id', '=', idOrE164)))
    .executeTakeFirst();
  return row ?? null;
}

/** As `findNumber`; locked, so that no batch, call or rule begins with the number before the transaction has ended. */
export async function lockNumberForUpdate(tx: Db, accountId: string, idOrE164: string): Promise<PhoneNumberRow | null> {
  const found = await findNumber(tx, accountId, idOrE164);
  if (found === null) return null;
  return (await lockNumbersForUpdate(tx, accountId, [found.e164])).get(found.e164) ?? null;
}

/** An unfinished batch that calls from one of these numbers, or null. */
export async function batchFromNumbers(
  tx: Db,
  accountId: string,
  numberIds: readonly string[],
): Promise<{ readonly id: string; readonly from_number: string } | null> {
  const { rows } = await sql<{ id: string; from_number: string }>`
    (select id, from_number from batches
      where account_id = ${accountId} and number_id = any(${[...numberIds]}::text[])
        and status not in ('parse_failed', 'cancelled', 'completed')
      limit 1)
    union all
    (select b.id, n.e164 from batches b
      join phone_numbers n on n.account_id = b.account_id and n.e164 = any (b.phone_numbers)
      where b.account_id = ${accountId} and b.phone_numbers is not null
        and b.status not in ('parse_failed', 'cancelled', 'completed') and n.id = any(${[...numberIds]}::text[])
      limit 1)
    limit 1`.execute(tx);
  return rows[0] ?? null;
}

/** A rule that is attached to the number, or null. */
export async function ruleOfNumber(tx: Db, accountId: string, numberId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('rule_numbers')
    .select('rule_id')
    .where('account_id', '=', accountId)
    .where('number_id', '=', numberId)
    .limit(1)
    .executeTakeFirst();
  return row?.rule_id ?? null;
}

/** Takes a number off the account; it must have neither gateways nor rules. */
export async function deleteNumber(tx: Db, accountId: string, numberId: string): Promise<void> {
  await tx.deleteFrom('phone_numbers').where('account_id', '=', accountId).where('id', '=', numberId).execute();
}
