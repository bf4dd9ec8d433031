import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** A file that is still not read after this time no longer blocks later ones. */
const longestHoldMinutes = 15;

/**
 * Bytes of the largest small file: a CSV of 20,000 bare numbers, or of some thousand rows with names and dates. It is read in about a
 * second, much of which is the start of its reader; the largest files that are taken need ten times that and more.
 */
export const smallFileBytes = 256 * 1_024;

const isSmall = (batch: 'b' | 'o') => sql`
  coalesce((select f.byte_size from batch_files f where f.batch_id = ${sql.ref(`${batch}.id`)}), 0) <= ${smallFileBytes}`;

/** Whether batch `o` has a file that is not read yet and still counts for others. */
const counts = sql`
  o.status = 'parsing' and o.retried_from is null
  and o.created_at > clock_timestamp() - make_interval(mins => ${longestHoldMinutes})`;

/** Files of the account of batch `b` that are read before its own: the older ones, small or large as it is. A column. */
export const filesBefore = sql<number>`
  (select count(*)::integer from batches o
    where o.account_id = b.account_id and o.id < b.id and ${counts} and (${isSmall('o')}) = (${isSmall('b')}))`;

/**
 * Whether another file of the account of batch `b` is being read. Of two whose workers died the older one goes first, so that they
 * do not wait for each other.
 */
const accountIsServed = sql`
  exists (select 1 from batches o
    where o.account_id = b.account_id and o.id <> b.id and ${counts} and o.parse_reader is not null
      and (b.parse_reader is null or o.id < b.id))`;

/** Whether a file of an account that has none being read waits for a reader. */
const othersAreNotServed = sql`
  exists (select 1 from batches o
    where o.account_id <> b.account_id and ${counts} and o.parse_reader is null
      and not exists (select 1 from batches r
        where r.account_id = o.account_id and r.status = 'parsing' and r.retried_from is null
          and r.parse_reader is not null))`;

/**
 * How many other files of the account are read before this batch's. Small files wait for older small ones and large files for older
 * large ones, so that one of each is read at once; but while an account without any waits for a reader, no account gets a second one.
 * Otherwise the small files of an account that has a large one being read would take the other reader of a worker one after the other, and
 * whatever came later would wait for them all. A batch that calls the unsuccessful again has no file: it neither waits nor is waited for.
 */
export async function batchesToReadFirst(db: Db, accountId: string, batchId: string): Promise<number> {
  const { rows } = await sql<{ before: number }>`
    select case
      when turn.before > 0 then turn.before
      when ${accountIsServed} and ${othersAreNotServed} then 1
      else 0 end as before
    from batches b cross join lateral (select ${filesBefore} as before) turn
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
