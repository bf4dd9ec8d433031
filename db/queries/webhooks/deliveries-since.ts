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

/** The least id of the instant of this one: it names no delivery. */
const instantOfId = (id: string): string => `${id.slice(0, 'whd_01990c50-1c9b-7d35'.length)}-8000-000000000000`;

/**
 * Where to go on if only a part of the following deliveries was looked at. What other accounts have is not told: neither an id of
 * theirs, nor, unless they are thousands, when the last one was.
 */
function placeAfter(seen: readonly { readonly id: string }[], lastOwn: string | undefined): string | null {
  const last = seen.length < mostSeen ? undefined : seen.at(-1);
  if (last === undefined) return lastOwn ?? null;
  const instant = instantOfId(last.id);
  return lastOwn !== undefined && lastOwn > instant ? lastOwn : instant;
}

/**
 * The account's deliveries whose ids come after this one, in the order of ids, which is that of time. It walks the primary key.
 *
 * @returns next: the id to go on from; null: the one that was asked from
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
  const lastOwn = mine.at(-1)?.id;
  const next = mine.length === limit ? (lastOwn ?? null) : placeAfter(found, lastOwn);
  if (mine.length === 0) return { rows: [], next };
  const { rows } = await sql<TellingDelivery>`
    select id, event, endpoint, payload, created_at as "createdAt" from webhook_deliveries
    where account_id = ${accountId} and id = any(${mine.map(({ id }) => id)}) order by id`.execute(db);
  return { rows, next };
}
