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

/** An id that sorts just before this one and names no delivery: its time and order stay, most of its random bits are cleared. */
const justBefore = (id: string): string => `${id.slice(0, -10)}0000000000`;

/**
 * The account's deliveries whose ids come after this one, in the order of ids, which is that of time. It walks the primary key.
 *
 * @returns next: the id to go on from; null: the one that was asked from. It is never the id of another account's delivery, and tells
 * when others were sent webhooks only if thousands of theirs were passed over.
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
  const lastOwn = mine.at(-1)?.id ?? null;
  const last = found[mostSeen - 1];
  const next = mine.length === limit || last === undefined || last.mine ? lastOwn : justBefore(last.id);
  if (mine.length === 0) return { rows: [], next };
  const { rows } = await sql<TellingDelivery>`
    select id, event, endpoint, payload, created_at as "createdAt" from webhook_deliveries
    where account_id = ${accountId} and id = any(${mine.map(({ id }) => id)}) order by id`.execute(db);
  return { rows, next };
}
