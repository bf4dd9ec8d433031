import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Db } from '../../client.js';
import type { Tools } from '../../types.js';
import { containing } from '../search-pattern.js';

export type ToolRow = Selectable<Tools>;

/** Stores a tool. Postgres refuses a second one of the same name on an account. */
export const insertTool = (tx: Db, tool: Insertable<Tools>): Promise<ToolRow> =>
  tx.insertInto('tools').values(tool).returningAll().executeTakeFirstOrThrow();

const oneTool = (db: Db, accountId: string, toolId: string) =>
  db.selectFrom('tools').selectAll().where('account_id', '=', accountId).where('id', '=', toolId);

/** A tool of the account, or null. */
export async function findTool(db: Db, accountId: string, toolId: string): Promise<ToolRow | null> {
  return (await oneTool(db, accountId, toolId).executeTakeFirst()) ?? null;
}

/** The same, locked: what uses it from now on waits for the end of the transaction. */
export async function lockTool(tx: Db, accountId: string, toolId: string): Promise<ToolRow | null> {
  return (await oneTool(tx, accountId, toolId).forUpdate().executeTakeFirst()) ?? null;
}

/** Changes a tool that the transaction has locked. */
export const updateTool = (tx: Db, accountId: string, toolId: string, change: Updateable<Tools>): Promise<ToolRow> =>
  tx
    .updateTable('tools')
    .set({ ...change, updated_at: sql<Date>`clock_timestamp()` })
    .where('account_id', '=', accountId)
    .where('id', '=', toolId)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Removes a tool that the transaction has locked. */
export async function deleteTool(tx: Db, accountId: string, toolId: string): Promise<void> {
  await tx.deleteFrom('tools').where('account_id', '=', accountId).where('id', '=', toolId).execute();
}

/** A page of the account's tools, newest first, and how many there are in all. */
export async function listTools(
  db: Db,
  accountId: string,
  filter: { readonly search?: string | undefined },
  rows: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly tools: ToolRow[] }> {
  let tools = db.selectFrom('tools').where('account_id', '=', accountId);
  if (filter.search !== undefined) {
    const pattern = containing(filter.search);
    tools = tools.where((where) => where.or([where('name', 'ilike', pattern), where('description', 'ilike', pattern)]));
  }
  const [count, page] = await Promise.all([
    tools.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
    tools
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .offset(rows.offset)
      .limit(rows.limit)
      .execute(),
  ]);
  return { total: Number(count.total), tools: page };
}
