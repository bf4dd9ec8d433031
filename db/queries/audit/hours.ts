import { sql } from 'kysely';
import type { CallingHours } from '../../../domain/account/guardrails.js';
import type { Db } from '../../client.js';
import type { AuditScope } from './invariants.js';
import { pageOfCalls } from './page-of-calls.js';
import { inSnapshot, ofAccount } from './snapshot.js';

/** A change of guardrails is written down a little before it holds. */
const changeSeconds = 60;

/** An attempt that was dialed since its account's guardrails are what they are. */
export interface DialedByHours {
  readonly accountId: string;
  readonly callId: string;
  readonly attempt: number;
  readonly dialedAt: Date;
  /** The callee, E.164. */
  readonly to: string;
  /** What the row of the file says of the callee's zones. */
  readonly zones: readonly string[] | null;
}

/** Calling hours of the accounts in the scope that have some. */
export async function callingHours(db: Db, scope: AuditScope): Promise<ReadonlyMap<string, CallingHours>> {
  const { rows } = await inSnapshot(db, (tx) =>
    sql<{ accountId: string; hours: CallingHours }>`
      select g.account_id as "accountId", g.calling_hours as hours from guardrails g
      where g.calling_hours is not null and ${ofAccount(scope, 'g')}`.execute(tx),
  );
  return new Map(rows.map(({ accountId, hours }) => [accountId, hours]));
}

/**
 * A page of all calls, by id: what was dialed of them since their account has its calling hours. What was dialed before was
 * judged by others, which are not kept.
 *
 * @param after id of the last call of the page before; null: from the beginning
 */
export async function dialedByHours(
  db: Db,
  scope: AuditScope,
  after: string | null,
): Promise<{ readonly dialed: readonly DialedByHours[]; readonly after: string | null }> {
  const { since } = scope;
  return inSnapshot(db, async (tx) => {
    const page = await pageOfCalls(tx, scope, after);
    if (page === null) return { dialed: [], after: null };
    const { from, last, next } = page;
    const { rows: dialed } = await sql<DialedByHours>`
      select c.account_id as "accountId", c.id as "callId", a.number as attempt, a.dialed_at as "dialedAt", c.to_number as "to",
        c.time_zones as zones
      from calls c join guardrails g on g.account_id = c.account_id and g.calling_hours is not null
      cross join lateral (select * from call_attempts a where a.call_id = c.id offset 0) a
      where c.id > ${from}::uuid and c.id <= ${last}::uuid and c.type = 'outbound' and ${ofAccount(scope, 'c')}
        and c.erased_at is null and a.phase not in ('queued', 'claimed')
        and a.dialed_at > g.updated_at + make_interval(secs => ${changeSeconds})
        and ${since === null ? sql`true` : sql`a.dialed_at >= ${since}`}`.execute(tx);
    return { dialed, after: next };
  });
}
