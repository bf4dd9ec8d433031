import { sql } from 'kysely';
import { type SecretPlace, sealedColumns } from '../../../domain/account/secret-places.js';
import { pinColumns, sealedPin } from '../../../domain/call/room-pin.js';
import type { Db } from '../../client.js';

export interface Resealed {
  readonly table: string;
  readonly column: string;
  readonly count: number;
}

/** The same secret in a new envelope, or null if it needs none. */
export type Reseal = (envelope: string, place: SecretPlace) => string | null;

/**
 * All columns are gone through again until nothing is left, this often at most: rows change meanwhile, and a webhook secret
 * that is rotated by its account moves to a column that was done before.
 */
const mostRounds = 10;

/** Columns of sealed secrets are found by their name, `…_sealed`: none can be missed. */
async function columnsOfSecrets(db: Db): Promise<{ readonly table: string; readonly column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.table_name as table, c.column_name as column
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and right(c.column_name, 7) = '_sealed'
    order by 1, 2`.execute(db);
  return rows;
}

/** @returns how many of the stored secrets each key has sealed, by the id of the key, as their envelopes say */
export async function secretsByKey(db: Db): Promise<ReadonlyMap<string, number>> {
  const each = (await columnsOfSecrets(db)).map(
    ({ table, column }) => sql`select ${sql.ref(column)} as sealed from ${sql.table(table)}`,
  );
  const { rows } = await sql<{ key: string; count: number }>`
    select split_part(sealed, '.', 2) as key, count(*)::integer as count
    from (${sql.join(each, sql` union all `)}) secrets where sealed is not null group by 1 order by 1`.execute(db);
  return new Map(rows.map(({ key, count }) => [key, count]));
}

/**
 * Seals every stored secret again.
 * Safe on a running system and when interrupted: each row is changed by itself, and only from what was read.
 *
 * @param unreadable called with each secret that cannot be opened; the others are sealed again all the same
 * @returns how many were changed, column by column
 */
export async function resealSecrets(db: Db, reseal: Reseal, unreadable: (error: Error) => void): Promise<Resealed[]> {
  const columns = await columnsOfSecrets(db);
  const counts = columns.map(() => 0);
  for (let round = 0, touched = 1; touched > 0 && round < mostRounds; round++) {
    touched = 0;
    for (const [at, { table, column }] of columns.entries()) {
      const { changed, missed } = await resealColumn(db, table, column, reseal, unreadable);
      counts[at] = (counts[at] ?? 0) + changed;
      touched += changed + missed;
    }
  }
  return columns.map((column, at) => ({ ...column, count: counts[at] ?? 0 }));
}

/**
 * Seals the PINs that a version which did not know how has stored as digits. Safe on a running system and when interrupted, as
 * `resealSecrets` is.
 *
 * @returns how many were sealed
 */
export async function sealPins(db: Db, seal: (pin: string, place: SecretPlace) => string): Promise<number> {
  const rows = await db
    .selectFrom('routing_rules')
    .select(['id', 'account_id', 'room_pin'])
    .where('room_pin', '<>', sealedPin)
    .execute();
  let sealed = 0;
  for (const { id, account_id: accountId, room_pin: pin } of rows) {
    if (pin === null) continue;
    const { numUpdatedRows } = await db
      .updateTable('routing_rules')
      .set(pinColumns(pin, { accountId, ruleId: id }, seal))
      .where('id', '=', id)
      .where('room_pin', '=', pin)
      .executeTakeFirstOrThrow();
    sealed += Number(numUpdatedRows);
  }
  return sealed;
}

async function resealColumn(
  db: Db,
  table: string,
  column: string,
  reseal: Reseal,
  unreadable: (error: Error) => void,
): Promise<{ readonly changed: number; readonly missed: number }> {
  const known = sealedColumns[`${table}.${column}`];
  if (known === undefined) throw new Error(`The owner of the secrets in ${table}.${column} is not declared.`);
  const [from, name] = [sql.table(table), sql.ref(column)];
  const owner = sql.join(known.owner.map((each) => sql`${sql.ref(each)}::text`));
  const { rows } = await sql<{ at: string; sealed: string; owner: string[] }>`
    select ctid::text as at, ${name} as sealed, array[${owner}] as owner from ${from} where ${name} is not null`.execute(
    db,
  );
  let [changed, missed] = [0, 0];
  for (const { at, sealed, owner } of rows) {
    const sealedAgain = resealed(() => reseal(sealed, known.place(...owner)), unreadable);
    if (sealedAgain === null) continue;
    const result = await sql`
      update ${from} set ${name} = ${sealedAgain} where ctid = ${at}::tid and ${name} = ${sealed}`.execute(db);
    if (result.numAffectedRows === 1n) changed += 1;
    else missed += 1;
  }
  return { changed, missed };
}

function resealed(reseal: () => string | null, unreadable: (error: Error) => void): string | null {
  try {
    return reseal();
  } catch (error) {
    unreadable(error instanceof Error ? error : new Error(String(error)));
    return null;
  }
}
