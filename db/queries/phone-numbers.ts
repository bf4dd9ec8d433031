import { sql, type Selectable } from 'kysely';
import type { Db } from '../client.js';
import type { PhoneNumbers } from '../types.js';
import { containing } from './search-pattern.js';

export type PhoneNumberRow = Selectable<PhoneNumbers>;

export interface NewNumber {
  readonly id: string;
  readonly e164: string;
  readonly name: string;
  readonly countryCode: string | null;
}

/**
 * Puts numbers on the account, or takes those that are there, and locks them until the transaction ends. Always in the
 * order of the numbers, so that two requests over the same ones wait for each other and do not deadlock.
 */
export async function registerNumbers(
  tx: Db,
  accountId: string,
  numbers: readonly NewNumber[],
): Promise<Map<string, PhoneNumberRow>> {
  const inOrder = [...numbers].sort((a, b) => (a.e164 < b.e164 ? -1 : 1));
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
  const rows = await tx
    .selectFrom('phone_numbers')
    .selectAll()
    .where('account_id', '=', accountId)
    .where(
      'e164',
      'in',
      inOrder.map(({ e164 }) => e164),
    )
    .orderBy('e164')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.e164, row]));
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
