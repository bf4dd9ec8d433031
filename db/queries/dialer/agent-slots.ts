import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { AttemptKey } from './attempt-key.js';

/** A worker announces itself every few seconds. */
const seenWithinSeconds = 20;

export interface SlotAnswer {
  /** Calls that the region's agent workers take at once. */
  readonly slots: number;
  /** Calls, this one included, that have one or come before it. */
  readonly wanted: number;
}

/**
 * Whether there is an agent for a claimed attempt. Every attempt from its claim to its end takes a slot, in the order of the
 * claims, so that nothing has to be reserved or given back.
 *
 * @param gatewayRegions as gateways name the region: its name, and `auto` where it is the default
 */
export async function agentSlots(
  db: Db,
  { callId, number }: AttemptKey,
  region: string,
  gatewayRegions: readonly string[],
): Promise<SlotAnswer> {
  const { rows } = await sql<SlotAnswer>`
    select
      (select coalesce(sum(slots), 0)::integer from agent_workers
        where region = ${region} and seen_at > clock_timestamp() - make_interval(secs => ${seenWithinSeconds})) as slots,
      (select count(*)::integer
        from call_attempts mine
        join call_attempts a on a.phase in ('claimed', 'dialing', 'ringing', 'answered')
          and (a.phase <> 'claimed' or (a.claimed_at, a.call_id) <= (mine.claimed_at, mine.call_id))
        join gateways g on g.id = a.gateway_id and g.sip_region = any(${gatewayRegions}::text[])
        where mine.call_id = ${callId}::uuid and mine.number = ${number}) as wanted`.execute(db);
  return rows[0] ?? { slots: 0, wanted: 1 };
}

/** Whether an agent worker of the region has announced itself lately with a slot, taken or not. */
export async function hasAgentWorker(db: Db, region: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from agent_workers
    where region = ${region} and slots > 0 and seen_at > clock_timestamp() - make_interval(secs => ${seenWithinSeconds})
    limit 1`.execute(db);
  return rows.length > 0;
}
