import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** A file that is still not read after this time no longer blocks later ones. */
const longestHoldMinutes = 15;

/** Files of the account of batch `b` that are read before its own: a column. */
export const filesBefore = sql<number>`
  (select count(*)::integer from batches o
    where o.account_id = b.account_id and o.status = 'parsing' and o.id < b.id and o.retried_from is null
      and o.created_at > clock_timestamp() - make_interval(mins => ${longestHoldMinutes}))`;

/**
 * How many older files of the account wait to be read, or are being read. A batch that calls the unsuccessful again has no
 * file: it neither waits nor is waited for.
 */
export async function batchesToReadFirst(db: Db, accountId: string, batchId: string): Promise<number> {
  const { rows } = await sql<{ before: number }>`
    select ${filesBefore} as before from batches b
    where b.account_id = ${accountId} and b.id = ${batchId} and b.retried_from is null`.execute(db);
  return rows[0]?.before ?? 0;
}

/** Counts older knowledge bases of the account that wait to be read or are being read; those to be fetched do not count. */
export async function documentsToReadFirst(db: Db, accountId: string, knowledgeBaseId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from knowledge_bases b
    where account_id = ${accountId} and status = 'processing' and id < ${knowledgeBaseId}
      and exists (select 1 from knowledge_base_documents d where d.knowledge_base_id = b.id)`.execute(db);
  return rows[0]?.count ?? 0;
}
