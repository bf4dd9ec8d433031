import { sql } from 'kysely';
import type { BatchStatus } from '../../../domain/batch/batch-call.js';
import { firstAddedPosition } from '../../../domain/batch/fan-out.js';
import type { Db } from '../../client.js';
import { counterColumns, type CounterRow } from './batches.js';

export interface BatchState {
  readonly status: BatchStatus;
  readonly startsAt: Date;
  readonly recordsUploaded: number;
  /** Its queue is still to be moved to a calling window or guardrails that were changed. */
  readonly windowMoving: boolean;
  /** When it stops; null: at no instant. */
  readonly stopsAt: Date | null;
  /** It has a stop condition of any kind. */
  readonly mayStop: boolean;
  /** Columns by the status that each counts; zeros until its file has been read. */
  readonly counters: CounterRow;
}

/** The state of a batch; null if it has been deleted. */
export async function batchState(db: Db, accountId: string, batchId: string): Promise<BatchState | null> {
  const { rows } = await sql<Omit<BatchState, 'counters'> & CounterRow>`
    select b.status, b.starts_at as "startsAt", b.records_uploaded as "recordsUploaded",
      b.window_moving or b.guardrails_moving is not null as "windowMoving",
      b.stop_at as "stopsAt", num_nonnulls(b.stop_at, b.stop_after_answered, b.stop_after_success, b.max_cost) > 0 as "mayStop",
      ${counterColumns}
    from batches b left join batch_counters k on k.batch_id = b.id
    where b.id = ${batchId} and b.account_id = ${accountId}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { status, startsAt, recordsUploaded, windowMoving, stopsAt, mayStop, ...counters } = row;
  return { status, startsAt, recordsUploaded, windowMoving, stopsAt, mayStop, counters };
}

export interface OpenGroups {
  /** Groups of the file that hold an unsettled call, ascending from 0. Added groups are not children of the batch. */
  readonly groups: readonly number[];
  readonly callsPerWorkflow: number;
  /** Concurrent calls that the batch's gateway allows; without end if all groups are to be started at once. */
  readonly concurrency: number;
}

/** Which `calls` workflows a batch still needs. */
export async function openGroups(db: Db, accountId: string, batchId: string): Promise<OpenGroups> {
  const { rows } = await sql<OpenGroups>`
    select coalesce(b.calls_per_workflow, 1) as "callsPerWorkflow", case when b.starts_whole then 1000000000
        else coalesce(g.max_concurrent_calls, 1) end as concurrency,
      array(select distinct c.position / b.calls_per_workflow from calls c
        where c.batch_id = b.id and not c.settled and c.position < ${sql.lit(firstAddedPosition)} order by 1) as groups
    from batches b left join gateways g on g.id = b.gateway_id
    where b.id = ${batchId} and b.account_id = ${accountId}`.execute(db);
  return rows[0] ?? { groups: [], callsPerWorkflow: 1, concurrency: 1 };
}
