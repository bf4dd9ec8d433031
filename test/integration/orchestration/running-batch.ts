import type { Insertable } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../../../db/client.js';
import type { Batches } from '../../../db/types.js';
import { callsPerWorkflow } from '../../../domain/batch/fan-out.js';
import { aBatch, csvOf, type Tenant } from '../../workflow/fixtures.js';

let numbersUsed = 0;

/** A batch in the state in which parsing leaves it, without a workflow. */
export async function aRunningBatch(
  db: Db,
  tenant: Tenant,
  count: number,
  fields: Partial<Insertable<Batches>> = {},
): Promise<{ batchId: string; callIds: readonly string[] }> {
  const batchId = await aBatch(db, tenant, csvOf(count), {
    status: 'running',
    started_at: new Date(),
    records_uploaded: count,
    calls_per_workflow: callsPerWorkflow(count),
    ...fields,
  });
  const callIds = Array.from({ length: count }, () => uuidv7());
  if (count === 0) return { batchId, callIds };
  await db
    .insertInto('calls')
    .values(
      callIds.map((id, position) => ({
        id,
        account_id: tenant.accountId,
        batch_id: batchId,
        position,
        to_number: `+1202${String(2_000_000 + (numbersUsed += 1))}`,
        from_number: tenant.number,
        rule_id: tenant.ruleId,
        gateway_id: tenant.gatewayId,
        agent_id: tenant.agentId,
      })),
    )
    .execute();
  await db.insertInto('batch_counters').values({ batch_id: batchId, pending: count }).execute();
  return { batchId, callIds };
}
