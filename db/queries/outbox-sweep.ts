import { sql } from 'kysely';
import type { Db } from '../client.js';

export interface OutboxRow {
  readonly id: string;
  readonly kind: 'start' | 'signal';
  readonly name: string;
  readonly workflowId: string;
  readonly input: unknown;
}

/** While somebody is at an entry, nobody else takes it for this long. */
const leaseSeconds = 15;
const longestWaitSeconds = 60;

/** Takes up to `most` entries that are due. Several processes may ask at once: each entry goes to one. */
export async function takeOutbox(db: Db, most: number): Promise<OutboxRow[]> {
  const { rows } = await sql<OutboxRow>`
    update outbox o set next_try_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    from (
      select id from outbox where next_try_at <= clock_timestamp() order by id limit ${most} for update skip locked
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

/**
 * Whether a workflow that cannot be found may rightly be gone: the batch is final, the call settled, or there is none.
 * Any other has been lost, and is started again by the watchdog.
 */
export async function isOver(
  db: Db,
  ids: { readonly batchId: string } | { readonly callId: string },
): Promise<boolean> {
  const { rows } =
    'batchId' in ids
      ? await sql<{ over: boolean }>`
          select not exists (select 1 from batches where id = ${ids.batchId}
            and status not in ('parse_failed', 'cancelled', 'completed')) as over`.execute(db)
      : await sql<{ over: boolean }>`
          select not exists (select 1 from calls where id = ${ids.callId} and not settled) as over`.execute(db);
  return rows[0]?.over === true;
}
