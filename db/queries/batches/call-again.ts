import { sql } from 'kysely';
import type { BatchStatus } from '../../../domain/batch/batch-call.js';
import { groupOf, isAddedGroup } from '../../../domain/batch/fan-out.js';
import { groupWorkflowId } from '../../../domain/workflow/ids.js';
import type { Db } from '../../client.js';
import { queueAgain } from '../calls/queue-attempts.js';
import { addAllToOutbox, type OutboxEntry } from '../outbox.js';

/**
 * What became of the request: `queued`; `unknown` if the batch has no such record, `not_running` if the batch does not run,
 * `unsettled` if the recipient is being called or waits to be, `undialed` if it was ended before the INVITE of an attempt,
 * `gone` if its data have been deleted, `do_not_call` if its number is on that list, `summarizing` and `analyzing` while that is
 * made of its conversation. Whatever is not `queued` is to be rolled back.
 */
export type CalledAgain =
  | { readonly outcome: 'queued'; readonly gatewayIds: readonly string[] }
  | {
      readonly outcome:
        'unknown' | 'not_running' | 'unsettled' | 'undialed' | 'gone' | 'do_not_call' | 'summarizing' | 'analyzing';
    };

interface SettledCall {
  readonly settled: boolean;
  readonly attempts: number;
  readonly position: number;
  readonly undialed: boolean;
  readonly gone: boolean;
  readonly listed: boolean;
  readonly summarizing: boolean;
  readonly analyzing: boolean;
}

/**
 * Gives a recipient whose call is over one more attempt, which goes into the queue in this transaction, and tells the
 * workflows. The batch is locked against its end: either that came first, or it finds the call unsettled. The call's lock has one
 * of two requests find it unsettled. Locks as everywhere: the batch, the call, its attempts, counters (by the trigger).
 *
 * @param callId the bare UUID
 */
export async function callRecordAgain(
  tx: Db,
  { accountId, batchId, callId }: { readonly accountId: string; readonly batchId: string; readonly callId: string },
): Promise<CalledAgain> {
  const { rows: batches } = await sql<{ status: BatchStatus; callsPerWorkflow: number | null }>`
    select status, calls_per_workflow as "callsPerWorkflow" from batches
    where id = ${batchId} and account_id = ${accountId} for share`.execute(tx);
  await sql`
    select 1 from calls
    where id = ${callId} and batch_id = ${batchId} and account_id = ${accountId} for no key update`.execute(tx);
  // A statement of its own: it sees the attempts as they were left by what the lock was waited for.
  const { rows: calls } = await sql<SettledCall>`
    select c.settled, c.attempts_made as attempts, c.position, c.erased_at is not null or c.purged_at is not null as gone,
      exists (select 1 from call_attempts a where a.call_id = c.id and a.number > c.attempts_made) as undialed,
      exists (select 1 from do_not_call n where n.account_id = c.account_id and n.e164 = c.to_number) as listed,
      c.status = 'answered' and c.summary is null and c.summary_error is null
        and exists (select 1 from agent_versions v where v.id = c.version_id and v.summarizes) as summarizing,
      c.status = 'answered' and c.analyzed_at is null and c.answered_by is distinct from 'machine'
        and exists (select 1 from agent_versions v where v.id = c.version_id and v.analyzes) as analyzing
    from calls c
    where c.id = ${callId} and c.batch_id = ${batchId} and c.account_id = ${accountId}`.execute(tx);
  const [batch] = batches;
  const [call] = calls;
  if (batch === undefined || call === undefined) return { outcome: 'unknown' };
  if (batch.status !== 'running') return { outcome: 'not_running' };
  if (!call.settled) return { outcome: 'unsettled' };
  if (call.gone) return { outcome: 'gone' };
  if (call.undialed) return { outcome: 'undialed' };
  if (call.listed) return { outcome: 'do_not_call' };
  if (call.summarizing) return { outcome: 'summarizing' };
  if (call.analyzing) return { outcome: 'analyzing' };

  await keepUsage(tx, callId);
  await sql`
    update calls set status = case when attempts_made = 0 then 'pending' else 'retrying' end,
      next_attempt_at = case when attempts_made = 0 then not_before else clock_timestamp() end, reason = null,
      ended_at = null, answered_at = null, answered_by = null, talk_seconds = null, held_until = null, held_by = null,
      updated_at = clock_timestamp()
    where id = ${callId}`.execute(tx);
  const gatewayIds = await queueAgain(tx, { accountId, batchId, attempts: [[callId, call.attempts + 1]] });
  await tellWorkflows(tx, { accountId, batchId, group: groupOf(call.position, batch.callsPerWorkflow ?? 1) });
  return { outcome: 'queued', gatewayIds };
}

/** What the account has used stays used, though the call counts as one that is not answered (`count_usage`). */
export async function keepUsage(tx: Db, callId: string): Promise<void> {
  await sql`
    insert into usage_days as u (account_id, day, backend, answered, talk_seconds)
    select c.account_id, (clock_timestamp() at time zone 'UTC')::date, pg_backend_pid(), 1, coalesce(c.talk_seconds, 0)
    from calls c where c.id = ${callId} and c.status = 'answered'
    on conflict (account_id, day, backend) do update set
      answered = u.answered + excluded.answered, talk_seconds = u.talk_seconds + excluded.talk_seconds`.execute(tx);
}

/**
 * The workflow of the group may run, or have ended with its last call. A running one reads Postgres again; of an added group
 * another is started, and the batch starts that of a group of its file. The attempt does not wait for any of this.
 */
export async function tellWorkflows(
  tx: Db,
  { accountId, batchId, group }: { readonly accountId: string; readonly batchId: string; readonly group: number },
): Promise<void> {
  const other: OutboxEntry = isAddedGroup(group)
    ? { kind: 'start', name: 'calls', input: { accountId, batchId, group } }
    : { kind: 'signal', name: 'reconsider', workflowId: batchId, input: {} };
  const workflowId = groupWorkflowId(batchId, group);
  await addAllToOutbox(tx, [{ kind: 'signal', name: 'reload', workflowId, input: {} }, other]);
}
