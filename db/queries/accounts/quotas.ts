import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** How much an account stores. */
export interface Usage {
  /** Of files of batches and documents of knowledge bases. */
  readonly storedBytes: number;
  readonly openBatches: number;
  readonly knowledgeBases: number;
}

/**
 * What the account keeps, in a transaction that will add to it: two at the same time wait for each other, so that both
 * cannot take the last room.
 */
export async function lockUsage(tx: Db, accountId: string): Promise<Usage> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`quota of ${accountId}`}, 0))`.execute(tx);
  const { rows } = await sql<Usage>`
    select
      ((select coalesce(sum(byte_size), 0) from batch_files where account_id = ${accountId})
        + (select coalesce(sum(byte_size), 0) from knowledge_base_documents where account_id = ${accountId}))::float8
        as "storedBytes",
      (select count(*)::integer from batches
        where account_id = ${accountId} and status not in ('parse_failed', 'cancelled', 'completed')) as "openBatches",
      (select count(*)::integer from knowledge_bases where account_id = ${accountId}) as "knowledgeBases"`.execute(tx);
  return rows[0] ?? { storedBytes: 0, openBatches: 0, knowledgeBases: 0 };
}
