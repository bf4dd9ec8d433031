import { sql } from 'kysely';
import type { Db } from '../../client.js';

export interface Resealed {
  readonly table: string;
  readonly column: string;
  readonly count: number;
}

/** A row that changes while it is being sealed anew is looked at again, this often at most. */
const mostRounds = 10;

/**
 * Seals every stored secret anew. A column holds sealed secrets when its name ends in `_sealed`: none can be forgotten.
 * Safe on a running system and when interrupted: each row is changed by itself, and only from what was read.
 *
 * @param reseal the same secret in a new envelope, or null where it needs none
 * @returns how many were changed, column by column
 * @throws where a secret cannot be opened; those before it are done
 */
export async function resealSecrets(db: Db, reseal: (envelope: string) => string | null): Promise<Resealed[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select c.table_name as table, c.column_name as column
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and right(c.column_name, 7) = '_sealed'
    order by 1, 2`.execute(db);
  const done: Resealed[] = [];
  for (const { table, column } of columns) {
    let count = 0;
    for (let round = 0, missed = 1; missed > 0 && round < mostRounds; round++) {
      const result = await resealColumn(db, table, column, reseal);
      count += result.changed;
      missed = result.missed;
    }
    done.push({ table, column, count });
  }
  return done;
}

async function resealColumn(
  db: Db,
  table: string,
  column: string,
  reseal: (envelope: string) => string | null,
): Promise<{ readonly changed: number; readonly missed: number }> {
  const [from, name] = [sql.table(table), sql.ref(column)];
  const { rows } = await sql<{ at: string; sealed: string }>`
    select ctid::text as at, ${name} as sealed from ${from} where ${name} is not null`.execute(db);
  let [changed, missed] = [0, 0];
  for (const { at, sealed } of rows) {
    const anew = reseal(sealed);
    if (anew === null) continue;
    const result = await sql`
      update ${from} set ${name} = ${anew} where ctid = ${at}::tid and ${name} = ${sealed}`.execute(db);
    if (result.numAffectedRows === 1n) changed += 1;
    else missed += 1;
  }
  return { changed, missed };
}
