import { sql } from 'kysely';
import type { Db } from '../client.js';

/** How many older batches of the account wait to be read, or are being read. */
export async function batchesToReadFirst(db: Db, accountId: string, batchId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from batches
    where account_id = ${accountId} and status = 'parsing' and id < ${batchId}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** How many older knowledge bases of the account wait to be read, or are being read; those to be fetched hold up nothing. */
export async function documentsToReadFirst(db: Db, accountId: string, knowledgeBaseId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from knowledge_bases b
    where account_id = ${accountId} and status = 'processing' and id < ${knowledgeBaseId}
      and exists (select 1 from knowledge_base_documents d where d.knowledge_base_id = b.id)`.execute(db);
  return rows[0]?.count ?? 0;
}
