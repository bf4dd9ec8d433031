import { sql, type Insertable, type Selectable } from 'kysely';
import { topFolder } from '../../../domain/knowledge/folder.js';
import type { Db } from '../../client.js';
import type { KnowledgeBaseFolders } from '../../types.js';
import { containing } from '../search-pattern.js';

export type FolderRow = Selectable<KnowledgeBaseFolders>;

/**
 * Lets one transaction at a time change the account's tree of folders: levels depend on parents, and two moves at once
 * could put each of two folders into the other. What only refers to the account goes on.
 */
export async function lockFolderTree(tx: Db, accountId: string): Promise<void> {
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx);
}

/** Stores a folder. Postgres refuses a second one of the same name beside it. */
export const insertFolder = (tx: Db, folder: Insertable<KnowledgeBaseFolders>): Promise<FolderRow> =>
  tx.insertInto('knowledge_base_folders').values(folder).returningAll().executeTakeFirstOrThrow();

/** A folder of the account, or null. */
export async function findFolder(db: Db, accountId: string, folderId: string): Promise<FolderRow | null> {
  const row = await db
    .selectFrom('knowledge_base_folders')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', folderId)
    .executeTakeFirst();
  return row ?? null;
}

/** Whether the account has this folder; it cannot be deleted before the transaction has ended. */
export async function holdFolder(tx: Db, accountId: string, folderId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('knowledge_base_folders')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', folderId)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

export interface FolderFilter {
  /** Part of the name, in any casing. */
  readonly search?: string | undefined;
  /** Only those directly inside this one; `root`: those at the top. */
  readonly parentId?: string | undefined;
}

/** A page of the account's folders, newest first, and how many there are in all. */
export async function listFolders(
  db: Db,
  accountId: string,
  { search, parentId }: FolderFilter,
  rows: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly folders: FolderRow[] }> {
  let folders = db.selectFrom('knowledge_base_folders').where('account_id', '=', accountId);
  if (search !== undefined) folders = folders.where('name', 'ilike', containing(search));
  if (parentId === topFolder) folders = folders.where('parent_id', 'is', null);
  else if (parentId !== undefined) folders = folders.where('parent_id', '=', parentId);
  const [count, page] = await Promise.all([
    folders.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
    folders
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .offset(rows.offset)
      .limit(rows.limit)
      .execute(),
  ]);
  return { total: Number(count.total), folders: page };
}

/** A folder and everything inside it, itself first. The tree is locked. */
export async function foldersWithin(
  tx: Db,
  accountId: string,
  folderId: string,
): Promise<readonly { readonly id: string; readonly level: number }[]> {
  const { rows } = await sql<{ id: string; level: number }>`
    with recursive inside as (
      select id, level from knowledge_base_folders where account_id = ${accountId} and id = ${folderId}
      union all
      select f.id, f.level from knowledge_base_folders f
      join inside on f.account_id = ${accountId} and f.parent_id = inside.id
    )
    select id, level from inside order by level, id`.execute(tx);
  return rows;
}

export interface FolderChange {
  readonly name: string;
  readonly parentId: string | null;
  /** By how much it and all inside it go down, negative: up. */
  readonly levels: number;
}

/** Renames and moves a folder, with everything that is in it. The tree is locked, and the place is known to be allowed. */
export async function changeFolder(
  tx: Db,
  accountId: string,
  within: readonly string[],
  folderId: string,
  { name, parentId, levels }: FolderChange,
): Promise<FolderRow> {
  const { rows } = await sql<FolderRow>`
    update knowledge_base_folders set level = level + ${levels},
      name = case when id = ${folderId} then ${name} else name end,
      parent_id = case when id = ${folderId} then ${parentId} else parent_id end,
      updated_at = case when id = ${folderId} then clock_timestamp() else updated_at end
    where account_id = ${accountId} and id = any (${[...within]}::text[])
    returning *`.execute(tx);
  const changed = rows.find(({ id }) => id === folderId);
  if (changed === undefined) throw new Error(`The folder ${folderId} was changed without being there`);
  return changed;
}

/**
 * Locks folders that are to be deleted, and the knowledge bases in them: nothing more gets in, and nothing in them comes
 * into use.
 *
 * @returns ids of the knowledge bases
 */
export async function lockFolderContents(tx: Db, accountId: string, within: readonly string[]): Promise<string[]> {
  await sql`
    select 1 from knowledge_base_folders where account_id = ${accountId} and id = any (${[...within]}::text[])
    order by id for update`.execute(tx);
  // A separate statement: it sees what was put in before the lock was there.
  const { rows } = await sql<{ id: string }>`
    select id from knowledge_bases where account_id = ${accountId} and folder_id = any (${[...within]}::text[])
    order by id for update`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Deletes folders with the knowledge bases in them, all of them locked. */
export async function deleteFolders(tx: Db, accountId: string, within: readonly string[]): Promise<void> {
  const ids = sql`any (${[...within]}::text[])`;
  await sql`delete from knowledge_bases where account_id = ${accountId} and folder_id = ${ids}`.execute(tx);
  await sql`delete from knowledge_base_folders where account_id = ${accountId} and id = ${ids}`.execute(tx);
}
