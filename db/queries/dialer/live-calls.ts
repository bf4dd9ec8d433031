import { sql, type Transaction } from 'kysely';
import type { DB } from '../../types.js';

/** Counts the calls that each of these gateways carries now, from their INVITE to their end; a gateway without any is missing. */
export async function liveCallsOfGateways(
  tx: Transaction<DB>,
  gatewayIds: readonly string[],
): Promise<Map<string, number>> {
  if (gatewayIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; live: number }>`
    -- prepared
    select gateway_id as id, count(*)::integer as live from call_attempts
    where gateway_id = any(${gatewayIds}::text[]) and phase in ('dialing', 'ringing', 'answered')
    group by gateway_id`.execute(tx);
  return new Map(rows.map((row) => [row.id, row.live]));
}
