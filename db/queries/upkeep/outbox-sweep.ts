import { sql } from 'kysely';
import { isAddedGroup, placesOfAdded } from '../../../domain/batch/fan-out.js';
import type { Db } from '../../client.js';
import type { OutboxEntry } from '../outbox.js';

/** A stored entry. One of another version may have a name that this version does not know; it is sent as it is. */
export type OutboxRow = OutboxEntry & { readonly id: string; readonly workflowId: string };

/** An entry that a process has taken is not taken again within this time. */
const leaseSeconds = 15;
const longestWaitSeconds = 60;

/** Takes up to `most` entries that are due. Several processes may ask at once: each entry goes to one. */
export async function takeOutbox(db: Db, most: number): Promise<OutboxRow[]> {
  const { rows } = await sql<OutboxRow>`
    update outbox o set next_try_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    from (
      -- By the index of what is due: by their ids, all that was postponed would be walked over.
      select id from outbox where next_try_at <= statement_timestamp() order by next_try_at limit ${most} for update skip locked
    ) due
    where o.id = due.id
    returning o.id, o.kind, o.name, o.workflow_id as "workflowId", o.input`.execute(db);
  return rows.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
}

/** These are done. */
export async function clearOutbox(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await sql`delete from outbox where id = any (${ids}::bigint[])`.execute(db);
}

/** This one is to be tried again: after 1, 2, 4, … 60 s. */
export async function postponeOutbox(db: Db, id: string, error: string): Promise<void> {
  await sql`
    update outbox set attempts = attempts + 1, last_error = ${error}, next_try_at = clock_timestamp()
      + make_interval(secs => least(${longestWaitSeconds}, power(2, least(attempts, 10))))
    where id = ${id}`.execute(db);
}

/** The subject of a workflow: a batch, a group of its calls, or a single call. */
export type WorkflowSubject = { readonly batchId: string; readonly group: number | null } | { readonly callId: string };

/** The calls `c` of a group of the batch `b`. */
function placesOf(group: number | null) {
  if (group === null) return sql`true`;
  if (!isAddedGroup(group)) {
    return sql`c.position >= ${group}::integer * b.calls_per_workflow
      and c.position < (${group}::integer + 1) * b.calls_per_workflow`;
  }
  const { from, before } = placesOfAdded(group);
  return sql`c.position >= ${from}::integer and c.position < ${before}::integer`;
}

/**
 * Whether a workflow that cannot be found may rightly be gone: the batch is final, the calls of the group or the single call
 * are settled, or there is none. Any other has been lost, and is started again by the watchdog.
 */
export async function isOver(db: Db, subject: WorkflowSubject): Promise<boolean> {
  const { rows } =
    'batchId' in subject
      ? await sql<{ over: boolean }>`
          select not exists (
            select 1 from batches b
            where b.id = ${subject.batchId} and b.status not in ('parse_failed', 'cancelled', 'completed')
              and (${subject.group}::integer is null or b.calls_per_workflow is null or exists (
                select 1 from calls c
                where c.batch_id = b.id and not c.settled and ${placesOf(subject.group)}))) as over`.execute(db)
      : await sql<{ over: boolean }>`
          select not exists (select 1 from calls where id = ${subject.callId} and not settled) as over`.execute(db);
  return rows[0]?.over === true;
}
