import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** A webhook with the very body that is posted. */
export interface TellingDelivery {
  readonly id: string;
  readonly event: string;
  readonly endpoint: string;
  readonly payload: string;
  readonly createdAt: Date;
}

/** Of all accounts, how many deliveries one answer looks at: it costs the same however many others have. */
const mostSeen = 2_000;

/**
 * The account's deliveries whose ids come after this one, in the order of ids, which is that of time. It walks the primary key.
 *
 * @returns next: the id to go on from; null if nothing came after
 */
export async function deliveriesSince(
  db: Db,
  accountId: string,
  after: string,
  limit: number,
): Promise<{ readonly rows: readonly TellingDelivery[]; readonly next: string | null }> {
  const seen = sql`select id, account_id from webhook_deliveries where id > ${after} order by id limit ${mostSeen}`;
  const { rows: found } = await sql<{ id: string; mine: boolean }>`
    select s.id, s.account_id = ${accountId} as mine from (${seen}) s order by s.id`.execute(db);
  const mine = found.filter((each) => each.mine).slice(0, limit);
  const next = mine.length === limit ? mine.at(-1) : found.at(-1);
  if (mine.length === 0) return { rows: [], next: next?.id ?? null };
  const { rows } = await sql<TellingDelivery>`
    select id, event, endpoint, payload, created_at as "createdAt" from webhook_deliveries
    where account_id = ${accountId} and id = any(${mine.map(({ id }) => id)}) order by id`.execute(db);
  return { rows, next: next?.id ?? null };
}
