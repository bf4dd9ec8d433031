import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** A file that is still not read after this time no longer blocks later ones. */
const longestHoldMinutes = 15;

/**
 * How many older files of the account wait to be read, or are being read. A batch that calls the unsuccessful again has no
 * file: it neither waits nor is waited for.
 */
export async function batchesToReadFirst(db: Db, accountId: string, batchId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from batches
    where account_id = ${accountId} and status = 'parsing' and id < ${batchId} and retried_from is null
      and created_at > clock_timestamp() - make_interval(mins => ${longestHoldMinutes})
      and exists (select 1 from batches own where own.id = ${batchId} and own.retried_from is null)`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Counts older knowledge bases of the account that wait to be read or are being read; those to be fetched do not count. */
export async function documentsToReadFirst(db: Db, accountId: string, knowledgeBaseId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from knowledge_bases b
    where account_id = ${accountId} and status = 'processing' and id < ${knowledgeBaseId}
      and exists (select 1 from knowledge_base_documents d where d.knowledge_base_id = b.id)`.execute(db);
  return rows[0]?.count ?? 0;
}
