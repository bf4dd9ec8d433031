import { sql } from 'kysely';
import type { AttemptKey } from '../../../domain/call/attempt-key.js';
import { isAddedGroup, placesOfAdded } from '../../../domain/batch/fan-out.js';
import type { Db } from '../../client.js';

/** The calls that one workflow carries: a group of a batch, or a single call by its bare UUID. */
export type CarriedCalls =
  | { readonly accountId: string; readonly batchId: string; readonly group: number }
  | { readonly accountId: string; readonly callId: string };

/** A call that is not settled, and its attempt that is in the queue, live, or to come. */
export interface OpenCall extends AttemptKey {
  /** When that attempt is due; null: at once. */
  readonly dueAt: Date | null;
  /** Whether the attempt is in the queue or live already. */
  readonly queued: boolean;
}

/** The open ones of these calls, each with its next attempt, in the order of the file. */
export async function openCalls(db: Db, calls: CarriedCalls): Promise<OpenCall[]> {
  const chosen =
    'callId' in calls
      ? sql`c.id = ${calls.callId} and c.batch_id is null`
      : isAddedGroup(calls.group)
        ? sql`c.batch_id = ${calls.batchId} and c.position >= ${placesOfAdded(calls.group).from}
          and c.position < ${placesOfAdded(calls.group).before}`
        : sql`c.batch_id = ${calls.batchId} and c.position >= ${calls.group} * b.calls_per_workflow
          and c.position < (${calls.group} + 1) * b.calls_per_workflow`;
  const { rows } = await sql<OpenCall>`
    select c.id as "callId", c.attempts_made + 1 as attempt, coalesce(a.due_at, c.next_attempt_at) as "dueAt",
      a.call_id is not null as queued
    from calls c
    left join batches b on b.id = c.batch_id
    -- The limit keeps this a look-up per call, however little the planner knows of tables that have just grown.
    left join lateral (
      select a.call_id, a.due_at from call_attempts a
      where a.call_id = c.id and a.number = c.attempts_made + 1 and a.phase <> 'ended' limit 1
    ) a on true
    where ${chosen} and c.account_id = ${calls.accountId} and not c.settled
    order by c.position`.execute(db);
  return rows;
}
