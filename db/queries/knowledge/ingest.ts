import { sql } from 'kysely';
import type { DocumentKind } from '../../../domain/knowledge/document.js';
import { searchable, searchConfiguration } from '../../../domain/knowledge/passage-text.js';
import type { Db } from '../../client.js';
import { lossOfReader } from '../upkeep/reading-losses.js';

export interface IngestRef {
  readonly accountId: string;
  readonly knowledgeBaseId: string;
}

/** The URL of a knowledge base whose document is still to be fetched; null if there is nothing to fetch. */
export async function urlToFetch(db: Db, { accountId, knowledgeBaseId }: IngestRef): Promise<string | null> {
  const { rows } = await sql<{ url: string }>`
    select url from knowledge_bases b
    where b.account_id = ${accountId} and b.id = ${knowledgeBaseId} and b.status = 'processing' and b.url is not null
      and not exists (select 1 from knowledge_base_documents d where d.knowledge_base_id = b.id)`.execute(db);
  return rows[0]?.url ?? null;
}

/** Stores what was fetched, unless the knowledge base is gone, or another try has stored it. */
export async function storeDocument(
  db: Db,
  { accountId, knowledgeBaseId }: IngestRef,
  { kind, bytes }: { readonly kind: DocumentKind; readonly bytes: Buffer },
): Promise<void> {
  await sql`
    insert into knowledge_base_documents (knowledge_base_id, account_id, kind, byte_size, bytes)
    select id, account_id, ${kind}, ${bytes.length}::integer, ${bytes}::bytea from knowledge_bases
    where account_id = ${accountId} and id = ${knowledgeBaseId} and status = 'processing'
    for key share
    on conflict (knowledge_base_id) do nothing`.execute(db);
}

export interface DocumentToRead {
  readonly kind: DocumentKind;
  readonly bytes: Buffer;
  /** What has been lost over it before, in lost workers. */
  readonly losses: number;
}

/**
 * Begins a try, and counts the one before it if the process that made it has not said how it ended.
 *
 * @param reader names this process
 * @returns null if there is nothing to read
 */
export async function beginReading(
  db: Db,
  { accountId, knowledgeBaseId }: IngestRef,
  reader: string,
): Promise<DocumentToRead | null> {
  const { rows } = await sql<DocumentToRead>`
    update knowledge_bases b set reader = ${reader},
      tries = b.tries + case when b.reader is not null and b.reader <> ${reader} then 1 else 0 end
    from knowledge_base_documents d
    where b.account_id = ${accountId} and b.id = ${knowledgeBaseId} and b.status = 'processing'
      and d.knowledge_base_id = b.id
    returning d.kind, d.bytes, b.tries as losses`.execute(db);
  return rows[0] ?? null;
}

/** A try has ended without a result, for a reason that its process knows: it is not counted. */
export async function giveUpReading(db: Db, { accountId, knowledgeBaseId }: IngestRef, reader: string): Promise<void> {
  await sql`
    update knowledge_bases set reader = null
    where account_id = ${accountId} and id = ${knowledgeBaseId} and reader = ${reader} and status = 'processing'`.execute(
    db,
  );
}

/** A try has cost a reader its life, and this process has seen it. */
export async function countLostDocumentReader(db: Db, { accountId, knowledgeBaseId }: IngestRef): Promise<void> {
  await sql`
    update knowledge_bases set tries = tries + ${lossOfReader}, reader = null
    where account_id = ${accountId} and id = ${knowledgeBaseId} and status = 'processing'`.execute(db);
}

/** Ends the processing with a message that says what to do; does nothing if it has ended already. */
export async function failReading(db: Db, { accountId, knowledgeBaseId }: IngestRef, reason: string): Promise<void> {
  await sql`
    update knowledge_bases set status = 'failed', reason = ${reason}, updated_at = clock_timestamp()
    where account_id = ${accountId} and id = ${knowledgeBaseId} and status = 'processing'`.execute(db);
}

/** The same for a fetch that has failed, unless another try has brought the document. */
export async function failFetch(db: Db, { accountId, knowledgeBaseId }: IngestRef, reason: string): Promise<void> {
  await sql`
    update knowledge_bases b set status = 'failed', reason = ${reason}, updated_at = clock_timestamp()
    where b.account_id = ${accountId} and b.id = ${knowledgeBaseId} and b.status = 'processing'
      and not exists (select 1 from knowledge_base_documents d where d.knowledge_base_id = b.id)`.execute(db);
}

/** Passages stored by one statement. */
const atOnce = 500;

/**
 * Stores the text of a knowledge base in passages and makes it ready, all in one transaction: who looks sees all of it or
 * nothing, and a second try finds it done. Nothing happens if it was deleted meanwhile.
 */
export async function finishReading(
  db: Db,
  { accountId, knowledgeBaseId }: IngestRef,
  found: { readonly text: string; readonly language: string | null; readonly passages: readonly string[] },
): Promise<void> {
  const { text, language, passages } = found;
  const config = searchConfiguration(language);
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      select 1 from knowledge_bases
      where account_id = ${accountId} and id = ${knowledgeBaseId} and status = 'processing'
      for no key update`.execute(tx);
    if (rows.length === 0) return;
    await sql`
      insert into knowledge_base_contents (knowledge_base_id, account_id, content)
      values (${knowledgeBaseId}, ${accountId}, ${text})`.execute(tx);
    for (let first = 0; first < passages.length; first += atOnce) {
      const some = passages.slice(first, first + atOnce);
      await sql`
        insert into knowledge_base_passages (knowledge_base_id, position, account_id, text, search)
        select ${knowledgeBaseId}, ${first}::integer + place - 1, ${accountId}, p.text,
          to_tsvector(${config}::regconfig, p.searchable)
        from unnest(${some}::text[], ${some.map(searchable)}::text[]) with ordinality as p (text, searchable, place)
        `.execute(tx);
    }
    await sql`
      update knowledge_bases set status = 'ready', language = ${language}, search_config = ${config},
        characters = ${text.length}, passages = ${passages.length}, updated_at = clock_timestamp()
      where account_id = ${accountId} and id = ${knowledgeBaseId}`.execute(tx);
  });
}
