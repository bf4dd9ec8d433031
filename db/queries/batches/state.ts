import { sql } from 'kysely';
import type { BatchStatus } from '../../../domain/batch/batch-call.js';
import type { Db } from '../../client.js';

export interface BatchState {
  readonly status: BatchStatus;
  readonly startsAt: Date;
  readonly recordsUploaded: number;
  /** Its queue is still to be moved to a calling window or guardrails that were changed. */
  readonly windowMoving: boolean;
}

/** The state of a batch; null if it has been deleted. */
export async function batchState(db: Db, accountId: string, batchId: string): Promise<BatchState | null> {
  const { rows } = await sql<BatchState>`
    select status, starts_at as "startsAt", records_uploaded as "recordsUploaded", 
      window_moving or guardrails_moving is not null as "windowMoving"
    from batches where id = ${batchId} and account_id = ${accountId}`.execute(db);
  return rows[0] ?? null;
}

export interface OpenGroups {
  /** Groups that hold an unsettled call, ascending from 0. */
  readonly groups: readonly number[];
  readonly callsPerWorkflow: number;
  /** Concurrent calls that the batch's gateway allows. */
  readonly concurrency: number;
}

/** Which `calls` workflows a batch still needs. */
export async function openGroups(db: Db, accountId: string, batchId: string): Promise<OpenGroups> {
  const { rows } = await sql<OpenGroups>`
    select coalesce(b.calls_per_workflow, 1) as "callsPerWorkflow", coalesce(g.max_concurrent_calls, 1) as concurrency,
      array(select distinct c.position / b.calls_per_workflow from calls c
        where c.batch_id = b.id and not c.settled order by 1) as groups
    from batches b left join gateways g on g.id = b.gateway_id
    where b.id = ${batchId} and b.account_id = ${accountId}`.execute(db);
  return rows[0] ?? { groups: [], callsPerWorkflow: 1, concurrency: 1 };
}
