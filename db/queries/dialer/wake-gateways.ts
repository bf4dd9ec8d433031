import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** Channel that tells dialers that a gateway has something to dial; the payload is the gateway's id. */
export const dialChannel = 'outdial_dial';

/**
 * Tells the dialers that these gateways may have something to dial now. Call it **after** the transaction that made it so has
 * committed: inside, it would wait for the dialer's lock on the gateway, and NOTIFY would serialise commits. A crash in
 * between costs at most the dialer's slow poll.
 */
export async function wakeGateways(db: Db, gatewayIds: readonly string[]): Promise<void> {
  if (gatewayIds.length === 0) return;
  await sql`
    -- prepared
    with woken as (
      update gateway_admission set next_claim_at = clock_timestamp()
      where gateway_id = any(${[...new Set(gatewayIds)]}::text[])
        -- Of a row that is locked xmax is set: a claim under way may not see what the gateway is woken for, and is waited for, because
        -- it says last when to look again.
        and (next_claim_at > clock_timestamp() or xmax <> '0'::xid)
      returning gateway_id
    )
    select pg_notify(${dialChannel}, gateway_id) from woken`.execute(db);
}

/**
 * Wakes gateways that sleep although an attempt of theirs is due, because a wake-up was lost.
 *
 * @param lateSeconds least time for which it must have been due
 * @returns how many gateways were woken
 */
export async function wakeSleepers(db: Db, lateSeconds = 0): Promise<number> {
  const { rows } = await sql<{ gatewayId: string }>`
    select w.gateway_id as "gatewayId" from gateway_admission w
    where w.next_claim_at > clock_timestamp() + make_interval(secs => ${Math.max(1, lateSeconds)})
      and (w.suspended_since is null or w.probe_at <= clock_timestamp())
      and exists (
        -- Lane by lane, as the claim does: two looks at the index for each, however much is queued for later.
        with recursive lanes as (
          (select a.lane from call_attempts a
            where a.gateway_id = w.gateway_id and a.phase = 'queued' order by a.lane limit 1)
          union all
          select (select a.lane from call_attempts a
            where a.gateway_id = w.gateway_id and a.phase = 'queued' and a.lane > l.lane order by a.lane limit 1)
          from lanes l where l.lane is not null
        )
        select 1 from lanes l
        where l.lane is not null and clock_timestamp() - make_interval(secs => ${lateSeconds}) >= (
          select a.due_at from call_attempts a
          where a.gateway_id = w.gateway_id and a.lane = l.lane and a.phase = 'queued' order by a.due_at limit 1))
    `.execute(db);
  await wakeGateways(
    db,
    rows.map(({ gatewayId }) => gatewayId),
  );
  return rows.length;
}
