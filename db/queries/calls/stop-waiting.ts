import { sql } from 'kysely';
import { callWorkflowId } from '../../../domain/workflow/ids.js';
import type { Db } from '../../client.js';
import { settleUndialed } from '../dialer/settle-undialed.js';
import { addToOutbox } from '../outbox.js';

/** Numbers looked for, and calls settled, by one transaction. */
const numbersAtOnce = 5_000;
const callsAtOnce = 1_000;

/** A call that was settled beside its workflow, which has to hear of it. */
export interface SettledBeside {
  readonly id: string;
  readonly batchId: string | null;
  readonly position: number;
  readonly callsPerWorkflow: number | null;
}

/** Tells the workflows of these calls to look at Postgres again; in the transaction that settled them. */
export async function reloadWorkflowsOf(tx: Db, calls: readonly SettledBeside[]): Promise<void> {
  const workflowIds = calls.map(({ id, ...place }) => callWorkflowId({ callId: id, ...place }));
  for (const workflowId of new Set(workflowIds)) {
    await addToOutbox(tx, { kind: 'signal', name: 'reload', workflowId, input: {} });
  }
}

/**
 * Ends calls that wait to be dialed to numbers which have come onto the do-not-call list, without waiting for their turn:
 * a retry may be days ahead. Live calls go on. What it leaves out, because it was interrupted, the claim ends later.
 *
 * @param onSettled called with calls that no dialer will report an end of, bare UUIDs
 * @returns how many calls were ended
 */
export async function stopWaitingCalls(
  db: Db,
  accountId: string,
  numbers: readonly string[],
  onSettled: (callIds: readonly string[]) => void = () => undefined,
): Promise<number> {
  let stopped = 0;
  for (let from = 0; from < numbers.length; from += numbersAtOnce) {
    const some = numbers.slice(from, from + numbersAtOnce);
    for (;;) {
      const waiting = await waitingCalls(db, accountId, some);
      if (waiting.length === 0) break;
      const queued = waiting.flatMap(({ id, queuedAttempt }) =>
        queuedAttempt === null ? [] : [{ callId: id, attempt: queuedAttempt }],
      );
      const between = waiting.filter(({ queuedAttempt }) => queuedAttempt === null).map(({ id }) => id);
      // Their workflows hear of these by the dialer's reports.
      if (queued.length > 0) stopped += (await settleUndialed(db, queued, 'do_not_call')).length;
      if (between.length > 0) {
        const settled = await settleBetweenAttempts(db, accountId, between);
        onSettled(settled);
        stopped += settled.length;
      }
      if (waiting.length < callsAtOnce) break;
    }
  }
  return stopped;
}

async function waitingCalls(db: Db, accountId: string, numbers: readonly string[]) {
  const { rows } = await sql<{ id: string; queuedAttempt: number | null }>`
    select c.id, q.number as "queuedAttempt"
    from unnest(${numbers}::text[]) as n (e164)
    join calls c on c.account_id = ${accountId} and c.to_number = n.e164 and not c.settled
    left join call_attempts q on q.call_id = c.id and q.phase in ('queued', 'claimed')
    where not exists (
      select 1 from call_attempts a where a.call_id = c.id and a.phase in ('dialing', 'ringing', 'answered'))
    limit ${callsAtOnce}`.execute(db);
  return rows;
}

/** Calls that wait for a retry, or have not been queued for their first attempt. */
async function settleBetweenAttempts(db: Db, accountId: string, callIds: readonly string[]): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    await sql`select 1 from calls where id = any (${callIds}::uuid[]) order by id for no key update`.execute(tx);
    // A separate statement, so that it sees what was queued until the calls were locked.
    const { rows } = await sql<SettledBeside>`
      update calls c
      set status = 'failed', reason = 'do_not_call', next_attempt_at = null, last_outcome = 'failed',
        ended_at = clock_timestamp(), updated_at = clock_timestamp()
      where c.id = any (${callIds}::uuid[]) and c.account_id = ${accountId} and not c.settled
        and not exists (select 1 from call_attempts a where a.call_id = c.id and a.phase <> 'ended')
      returning c.id, c.batch_id as "batchId", coalesce(c.position, 0) as position,
        (select b.calls_per_workflow from batches b where b.id = c.batch_id) as "callsPerWorkflow"`.execute(tx);
    await reloadWorkflowsOf(tx, rows);
    return rows.map(({ id }) => id);
  });
}
