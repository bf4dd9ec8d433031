import { sql } from 'kysely';
import type { ModelsSoFar } from '../../../domain/batch/cost-estimate.js';
import type { Db } from '../../client.js';
import { modelUsageOfCalls } from '../calls/model-usage.js';

export interface GatewayPace {
  readonly callsPerSecond: number;
  /** Of a batch: without the lines that the gateway keeps back. */
  readonly maxConcurrentCalls: number;
  /** Attempts made lately by this agent, how many were answered, and the seconds that were talked in them. */
  readonly attempts: number;
  readonly answered: number;
  readonly talkSeconds: number;
}

const batchesLookedAt = 20;

/** The facts for the pace of a batch: the gateway's limits and the length of the agent's recent calls. */
export async function paceOf(
  db: Db,
  accountId: string,
  { gatewayId, agentId }: { readonly gatewayId: string; readonly agentId: string },
): Promise<GatewayPace> {
  const { rows } = await sql<GatewayPace>`
    select least(g.calls_per_second, operator_limit('maxCallsPerSecond')::float8) as "callsPerSecond",
      least(g.max_concurrent_calls - gateway_reserve(g.reserved_calls, g.max_concurrent_calls),
        operator_limit('maxConcurrentCalls')::integer - gateway_reserve(g.reserved_calls, g.max_concurrent_calls),
        operator_limit('maxConcurrentCallsPerAccount')::integer) as "maxConcurrentCalls",
      coalesce(sum(k.attempts), 0)::float8 as attempts, coalesce(sum(k.answered), 0)::float8 as answered,
      coalesce(sum(k.talk_seconds), 0)::float8 as "talkSeconds"
    from gateways g
    left join (
      select id from batches where account_id = ${accountId} and agent_id = ${agentId} and status = 'completed'
      order by created_at desc, id desc limit ${batchesLookedAt}
    ) b on true
    left join batch_counters k on k.batch_id = b.id
    where g.id = ${gatewayId} and g.account_id = ${accountId}
    group by g.id`.execute(db);
  return rows[0] ?? { callsPerSecond: 1, maxConcurrentCalls: 1, attempts: 0, answered: 0, talkSeconds: 0 };
}

const firstOfEachBatch = 100;

/**
 * What models used in the conversations with the first recipients of the agent's last batches. No more calls are read than
 * `batchesLookedAt` times `firstOfEachBatch`.
 */
export async function recentModelUse(db: Db, accountId: string, agentId: string): Promise<ModelsSoFar> {
  const { rows: talked } = await sql<{ id: string; talkSeconds: number }>`
    select c.id, c.ended_talk_seconds as "talkSeconds"
    from (
      select id from batches where account_id = ${accountId} and agent_id = ${agentId} and status = 'completed'
      order by created_at desc, id desc limit ${batchesLookedAt}
    ) b
    cross join lateral (
      select c.id, c.ended_talk_seconds from calls c where c.batch_id = b.id order by c.position limit ${firstOfEachBatch}
    ) c
    where c.ended_talk_seconds > 0`.execute(db);
  const ids = talked.map(({ id }) => id);
  const used = await modelUsageOfCalls(db, accountId, ids);
  const known = talked.filter(({ id }) => used.has(id));
  return {
    conversations: known.length,
    talkSeconds: known.reduce((sum, { talkSeconds }) => sum + talkSeconds, 0),
    used: [...used.values()].flat(),
  };
}
