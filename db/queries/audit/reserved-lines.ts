import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { AuditScope } from './invariants.js';
import { pageOfCalls } from './page-of-calls.js';
import { inSnapshot, ofAccount } from './snapshot.js';

/** A change of lines is written down before it is committed, and what was claimed by then is still dialed. */
const changeSeconds = 60;

/** A gateway that keeps lines back, and since when it has the lines that it has now. */
export interface ReservingGateway {
  readonly id: string;
  /** Lines that batches together may have. */
  readonly linesOfBatches: number;
  readonly since: Date;
}

/** Gateways that keep lines back. What they kept back before their last change is not known any more. */
export async function reservingGateways(db: Db, scope: AuditScope): Promise<readonly ReservingGateway[]> {
  const { rows } = await inSnapshot(db, (tx) =>
    sql<ReservingGateway>`
      select g.id, greatest(1, g.max_concurrent_calls - g.reserved_calls) as "linesOfBatches", coalesce((
          select max(l.at) from audit_log l
          where l.account_id = g.account_id and l.target = g.id and l.action = 'outbound-gateway.update'
            and l.details -> 'fields' ?| array['reservedCalls', 'maxConcurrentCalls']), g.created_at)
        + make_interval(secs => ${changeSeconds}) as since
      from gateways g
      where g.direction = 'outbound' and g.reserved_calls > 0 and ${ofAccount(scope, 'g')}
      order by g.id`.execute(tx),
  );
  return rows;
}

/** A line that a call of a batch had, from its last INVITE to its end. */
export interface LineTaken {
  readonly gatewayId: string;
  readonly fromMs: number;
  /** null: it is live. */
  readonly untilMs: number | null;
}

/**
 * A page of all calls, by id: lines that calls of batches had on gateways that keep some back. What was let out and never sent is
 * back in the queue.
 *
 * @param after id of the last call of the page before; null: from the beginning
 */
export async function linesTaken(
  db: Db,
  scope: AuditScope,
  after: string | null,
): Promise<{ readonly taken: readonly LineTaken[]; readonly after: string | null }> {
  const { since } = scope;
  return inSnapshot(db, async (tx) => {
    const page = await pageOfCalls(tx, scope, after);
    if (page === null) return { taken: [], after: null };
    const { from, last, next } = page;
    const { rows: taken } = await sql<LineTaken>`
      select a.gateway_id as "gatewayId", (extract(epoch from a.dialed_at) * 1000)::double precision as "fromMs",
        (extract(epoch from a.ended_at) * 1000)::double precision as "untilMs"
      from calls c
      cross join lateral (select * from call_attempts a where a.call_id = c.id offset 0) a
      where c.id > ${from}::uuid and c.id <= ${last}::uuid and c.batch_id is not null
        and c.gateway_id in (select g.id from gateways g where g.reserved_calls > 0 and ${ofAccount(scope, 'g')})
        and a.batch_id is not null and a.phase not in ('queued', 'claimed') and a.dialed_at is not null
        -- What ended without a try may have the instant of an INVITE before, which was let out and never sent.
        and (a.phase <> 'ended' or a.number <= c.attempts_made)
        and ${since === null ? sql`true` : sql`a.dialed_at >= ${since}`}`.execute(tx);
    return { taken, after: next };
  });
}
