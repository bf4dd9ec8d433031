import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { BatchObstacleReason } from '../../../domain/batch/pause-reasons.js';

/** Why a batch cannot call at the moment: `pausedReason` of the API, and a message. */
export interface BatchObstacle {
  readonly reason: BatchObstacleReason;
  readonly details: string;
}

/**
 * Whether the number, gateway, rule and agent that a batch was made with can still be used. Asked when it starts and when
 * it is resumed; null: nothing is in the way.
 */
export async function batchObstacle(db: Db, batchId: string): Promise<BatchObstacle | null> {
  const { rows } = await sql<{
    from_number: string;
    number_there: boolean;
    gateway_there: boolean;
    rule_there: boolean;
    agent_active: boolean;
  }>`
    select b.from_number,
      exists (select 1 from phone_numbers n where n.id = b.number_id and n.account_id = b.account_id) as number_there,
      exists (select 1 from number_gateways l join gateways g on g.id = l.gateway_id
        where l.number_id = b.number_id and l.account_id = b.account_id and l.direction = 'outbound'
          and l.gateway_id = b.gateway_id) as gateway_there,
      exists (select 1 from routing_rules r join rule_numbers m on m.rule_id = r.id
        where r.id = b.rule_id and r.account_id = b.account_id and r.type = 'outbound' and r.room_type = 'dynamic'
          and m.number_id = b.number_id) as rule_there,
      exists (select 1 from agents a where a.id = b.agent_id and a.account_id = b.account_id and a.status = 'active')
        and are_variants_active(b.variants) as agent_active
    from batches b where b.id = ${batchId}`.execute(db);
  const [batch] = rows;
  if (batch === undefined) return null;
  if (!batch.number_there) {
    return { reason: 'number_unavailable', details: `${batch.from_number} is no longer on the account.` };
  }
  if (!batch.gateway_there) {
    return {
      reason: 'gateway_unavailable',
      details: `${batch.from_number} no longer has the outbound gateway that the batch call was made with.`,
    };
  }
  if (!batch.rule_there) {
    return {
      reason: 'rule_unavailable',
      details: `The outbound routing rule of the batch call no longer serves ${batch.from_number}.`,
    };
  }
  if (!batch.agent_active) {
    return { reason: 'agent_inactive', details: 'The agent is not active. Deploy it, then resume the batch call.' };
  }
  return null;
}
