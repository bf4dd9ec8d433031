import { sql } from 'kysely';
import type { Db } from '../../client.js';
import { firstIdAt } from './first-id.js';
import type { AuditScope } from './invariants.js';

const callsAtOnce = 20_000;
const lowestId = '00000000-0000-0000-0000-000000000000';

export interface PageOfCalls {
  /** The page has the calls whose ids are above this one … */
  readonly from: string;
  /** … up to this one. */
  readonly last: string;
  readonly calls: number;
  /** Id after which the next page begins; null: there is none. */
  readonly next: string | null;
}

/**
 * The next page of all calls by id: by the primary key, so that a page costs the same however many calls there are.
 *
 * @param after id of the last call of the page before; null: from the beginning of the scope
 * @returns null if there are no more calls
 */
export async function pageOfCalls(tx: Db, { since }: AuditScope, after: string | null): Promise<PageOfCalls | null> {
  const from = after ?? (since === null ? lowestId : firstIdAt(since.getTime()));
  const { rows } = await sql<{ calls: number; last: string | null }>`
    select count(*)::integer as calls, (array_agg(p.id order by p.id desc))[1] as last
    from (select c.id from calls c where c.id > ${from}::uuid order by c.id limit ${callsAtOnce}) p`.execute(tx);
  const { calls, last } = rows[0] ?? { calls: 0, last: null };
  return last === null ? null : { from, last, calls, next: calls < callsAtOnce ? null : last };
}
