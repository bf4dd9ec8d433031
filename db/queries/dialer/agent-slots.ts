import { sql } from 'kysely';
import type { RegionService } from '../../../domain/agent-config/deploy-problems.js';
import type { Db } from '../../client.js';
import type { AttemptKey } from '../../../domain/call/attempt-key.js';

/** `AgentRoom` (domain/batch/waiting-row.ts) as JSON: workers and live calls are read once each. */
export const agentRoom = sql`(
  select json_build_object('slots', w.slots, 'reserved', w.reserved, 'taken', t.taken, 'ofBatches', t."ofBatches")
  from (
    select coalesce(json_object_agg(p.region, p.slots), '{}') as slots,
      coalesce(json_object_agg(p.region, reserved_agent_slots(p.region, p.slots)), '{}') as reserved
    from (select region, sum(slots)::integer as slots from present_agent_workers() group by region) p
  ) w
  cross join (
    select coalesce(json_object_agg(c.region, c.calls), '{}') as taken,
      coalesce(json_object_agg(c.region, c."ofBatches"), '{}') as "ofBatches"
    from (
      select h.sip_region as region, count(*) as calls, count(*) filter (where x.lane <> '') as "ofBatches"
      from call_attempts x join gateways h on h.id = x.gateway_id
      where x.phase in ('claimed', 'dialing', 'ringing', 'answered') group by h.sip_region
    ) c
  ) t)`;

export interface SlotAnswer {
  /** Calls that the region's agent workers take at once. */
  readonly slots: number;
  /** Calls, this one included, that have a slot or come before it. */
  readonly wanted: number;
}

/**
 * Counts the agent slots that are there for a claimed attempt. Every attempt takes a slot from its claim to its end, in the
 * order of the claims: nothing has to be reserved or given back.
 *
 * @param gatewayRegions as gateways name the region: its name, and `auto` for the default region
 */
export async function agentSlots(
  db: Db,
  { callId, attempt }: AttemptKey,
  region: string,
  gatewayRegions: readonly string[],
): Promise<SlotAnswer> {
  const { rows } = await sql<SlotAnswer>`
    select
      (select coalesce(sum(slots), 0)::integer from present_agent_workers() where region = ${region}) as slots,
      (select count(*)::integer
        from call_attempts mine
        join call_attempts a on a.phase in ('claimed', 'dialing', 'ringing', 'answered')
          and (a.phase <> 'claimed' or (a.claimed_at, a.call_id) <= (mine.claimed_at, mine.call_id))
        join gateways g on g.id = a.gateway_id and g.sip_region = any(${gatewayRegions}::text[])
        where mine.call_id = ${callId}::uuid and mine.number = ${attempt}) as wanted`.execute(db);
  return rows[0] ?? { slots: 0, wanted: 1 };
}

/** The agent workers of a region, by their recent announcements. */
export interface RegionAgents {
  /** Calls that they take at once. */
  readonly slots: number;
  /** Conversations that they hold; announced every few seconds. */
  readonly used: number;
  /** Workers by their own state. A ready one may offer no slot while it starts its next process. */
  readonly ready: number;
  readonly warming: number;
  readonly draining: number;
}

export async function regionAgents(db: Db, region: string): Promise<RegionAgents> {
  const { rows } = await sql<RegionAgents>`
    select coalesce(sum(slots), 0)::integer as slots, coalesce(sum(used) filter (where state = 'ready'), 0)::integer as used,
      count(*) filter (where state = 'ready')::integer as ready,
      count(*) filter (where state = 'warming')::integer as warming,
      count(*) filter (where state = 'draining')::integer as draining
    from present_agent_workers()
    where region = ${region}`.execute(db);
  return rows[0] ?? { slots: 0, used: 0, ready: 0, warming: 0, draining: 0 };
}

/** @returns true if an agent worker of the region has recently announced a slot, taken or not */
export const hasAgentWorker = async (db: Db, region: string): Promise<boolean> =>
  (await regionAgents(db, region)).slots > 0;

/** The state of a region's agent workers in one word. */
export async function regionService(db: Db, region: string): Promise<RegionService> {
  const { ready, warming, draining } = await regionAgents(db, region);
  if (ready > 0) return 'served';
  if (warming > 0) return 'warming';
  return draining > 0 ? 'draining' : 'none';
}

export interface RegionSlots {
  readonly region: string;
  readonly slots: number;
  /** Calls that have a slot or wait for one. */
  readonly taken: number;
}

/** The slots of all regions as dialers count them. @param regions the first is the one that `auto` means */
export async function slotsOfRegions(db: Db, regions: readonly string[]): Promise<RegionSlots[]> {
  const { rows } = await sql<RegionSlots>`
    select region, slots, taken from agent_slots(${[...regions]}::text[])`.execute(db);
  return rows;
}
