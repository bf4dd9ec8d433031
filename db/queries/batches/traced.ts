import { sql } from 'kysely';
import type { TracedBatch } from '../../../domain/trace/batch-spans.js';
import type { Db } from '../../client.js';

/** What the span of a batch that is over is made of; none if it has been deleted. */
export async function tracedBatch(db: Db, accountId: string, batchId: string): Promise<TracedBatch[]> {
  const { rows } = await sql<TracedBatch>`
    select b.id as "batchId", b.account_id as "accountId", b.agent_id as "agentId", b.status, b.simulated,
      coalesce(b.records_uploaded, 0)::integer as calls, coalesce(n.answered, 0)::integer as answered,
      coalesce(n.attempts, 0)::integer as attempts, b.created_at as "createdAt",
      coalesce(b.completed_at, b.updated_at) as "endedAt"
    from batches b left join batch_counters n on n.batch_id = b.id
    where b.id = ${batchId} and b.account_id = ${accountId}`.execute(db);
  return rows;
}
