import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { DocumentKind } from '../../../domain/knowledge/document.js';
import { topFolder } from '../../../domain/knowledge/folder.js';
import type { Db } from '../../client.js';
import type { KnowledgeBases } from '../../types.js';
import { containing } from '../search-pattern.js';

export interface KnowledgeBaseRow extends Selectable<KnowledgeBases> {
  /** Size of what was sent or fetched; null while nothing is there yet. */
  readonly byte_size: number | null;
}

export interface StoredDocument {
  readonly kind: DocumentKind;
  readonly bytes: Buffer;
}

/** Stores a knowledge base that is to be read; if the document came with it, that too. */
export async function insertKnowledgeBase(
  tx: Db,
  knowledgeBase: Insertable<KnowledgeBases>,
  document: StoredDocument | null,
): Promise<KnowledgeBaseRow> {
  const row = await tx.insertInto('knowledge_bases').values(knowledgeBase).returningAll().executeTakeFirstOrThrow();
  if (document === null) return { ...row, byte_size: null };
  await tx
    .insertInto('knowledge_base_documents')
    .values({
      knowledge_base_id: row.id,
      account_id: row.account_id,
      kind: document.kind,
      byte_size: document.bytes.length,
      bytes: document.bytes,
    })
    .execute();
  return { ...row, byte_size: document.bytes.length };
}

const byteSize = sql<number | null>`(
  select d.byte_size from knowledge_base_documents d where d.knowledge_base_id = knowledge_bases.id)`;

const oneKnowledgeBase = (db: Db, accountId: string, id: string) =>
  db
    .selectFrom('knowledge_bases')
    .selectAll()
    .select(byteSize.as('byte_size'))
    .where('account_id', '=', accountId)
    .where('id', '=', id);

/** A knowledge base of the account, or null. */
export async function findKnowledgeBase(db: Db, accountId: string, id: string): Promise<KnowledgeBaseRow | null> {
  return (await oneKnowledgeBase(db, accountId, id).executeTakeFirst()) ?? null;
}

/** The same, locked: what uses it from now on, or has read it, waits for the end of the transaction. */
export async function lockKnowledgeBase(tx: Db, accountId: string, id: string): Promise<KnowledgeBaseRow | null> {
  return (await oneKnowledgeBase(tx, accountId, id).forUpdate().executeTakeFirst()) ?? null;
}

/** Changes one that the transaction has locked. */
export async function updateKnowledgeBase(
  tx: Db,
  accountId: string,
  id: string,
  change: Updateable<KnowledgeBases>,
): Promise<void> {
  await tx
    .updateTable('knowledge_bases')
    .set({ ...change, updated_at: sql<Date>`clock_timestamp()` })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Removes one that the transaction has locked, with its document, its text and its passages. */
export async function deleteKnowledgeBase(tx: Db, accountId: string, id: string): Promise<void> {
  await tx.deleteFrom('knowledge_bases').where('account_id', '=', accountId).where('id', '=', id).execute();
}

/** The text that was found in one; null if it is not ready. */
export async function findContent(db: Db, accountId: string, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('knowledge_base_contents')
    .select('content')
    .where('account_id', '=', accountId)
    .where('knowledge_base_id', '=', id)
    .executeTakeFirst();
  return row?.content ?? null;
}

export interface KnowledgeBaseFilter {
  /** Part of the name, in any casing. */
  readonly search?: string | undefined;
  /** Only those directly in this folder; `root`: those in none. */
  readonly folderId?: string | undefined;
}

/** A page of the account's knowledge bases, newest first, and how many there are in all. */
export async function listKnowledgeBases(
  db: Db,
  accountId: string,
  { search, folderId }: KnowledgeBaseFilter,
  rows: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly knowledgeBases: KnowledgeBaseRow[] }> {
  let found = db.selectFrom('knowledge_bases').where('account_id', '=', accountId);
  if (search !== undefined) found = found.where('name', 'ilike', containing(search));
  if (folderId === topFolder) found = found.where('folder_id', 'is', null);
  else if (folderId !== undefined) found = found.where('folder_id', '=', folderId);
  const [count, page] = await Promise.all([
    found.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
    found
      .selectAll()
      .select(byteSize.as('byte_size'))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .offset(rows.offset)
      .limit(rows.limit)
      .execute(),
  ]);
  return { total: Number(count.total), knowledgeBases: page };
}
