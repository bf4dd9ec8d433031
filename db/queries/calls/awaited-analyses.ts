import { sql } from 'kysely';
import type { BatchStatus } from '../../../domain/batch/batch-call.js';
import { groupOf } from '../../../domain/batch/fan-out.js';
import type { Db } from '../../client.js';
import { keepUsage, tellWorkflows } from '../batches/call-again.js';
import { addToOutbox } from '../outbox.js';
import type { ConversationRef } from './conversation-of.js';

/** A batch that does not end before the analysis of a call has ended, with what its retry plan says now. */
export interface AwaitingBatch {
  readonly id: string;
  readonly status: BatchStatus;
  readonly callsPerWorkflow: number | null;
  /** The plan lists `unsuccessful`; omitted from it by a change, it calls nobody again. */
  readonly retries: boolean;
  readonly delaysSeconds: readonly number[];
  readonly minDelaySeconds: number | null;
}

/** The batch, kept from ending until the transaction does; null if nothing depends on this analysis, or no longer. */
export async function lockAwaitingBatch(
  tx: Db,
  { accountId, callId }: Pick<ConversationRef, 'accountId' | 'callId'>,
): Promise<AwaitingBatch | null> {
  const { rows } = await sql<AwaitingBatch>`
    select b.id, b.status, b.calls_per_workflow as "callsPerWorkflow", b.retry_delays_seconds as "delaysSeconds",
      b.retry_enabled and 'unsuccessful' = any (b.retry_on) as retries,
      operator_limit('minRetryDelaySeconds')::integer as "minDelaySeconds"
    from calls c join batches b on b.id = c.batch_id and b.account_id = c.account_id
    where c.id = ${callId} and c.account_id = ${accountId} and c.analysis_until is not null
    for share of b`.execute(tx);
  return rows[0] ?? null;
}

interface AwaitedCall {
  readonly attempts: number;
  readonly position: number;
  readonly endedAt: Date;
  /** It was answered, its analysis says in time that it was no success, and nothing forbids another call. */
  readonly unsuccessful: boolean;
}

/**
 * Ends the wait for an analysis. A recipient without success becomes one that waits for a retry, as if the end of the attempt had
 * planned it; otherwise the batch is told, if nothing else is left of it. The batch and the call are locked. Doing it again
 * changes nothing, because the call waits no longer.
 */
export async function callAgainIfUnsuccessful(
  tx: Db,
  { accountId, callId }: Pick<ConversationRef, 'accountId' | 'callId'>,
  batch: AwaitingBatch,
): Promise<void> {
  const { rows } = await sql<AwaitedCall>`
    select c.attempts_made as attempts, c.position, coalesce(c.ended_at, clock_timestamp()) as "endedAt",
      c.status = 'answered' and c.success is false and c.analysis_until > clock_timestamp()
        and c.answered_by is distinct from 'machine' and c.erased_at is null and c.purged_at is null
        and not exists (select 1 from call_attempts a where a.call_id = c.id and a.number > c.attempts_made)
        and not exists (select 1 from do_not_call n where n.account_id = c.account_id and n.e164 = c.to_number)
        as unsuccessful
    from calls c where c.id = ${callId} and c.account_id = ${accountId} and c.analysis_until is not null`.execute(tx);
  const [call] = rows;
  if (call === undefined) return;
  await sql`update calls set analysis_until = null where id = ${callId}`.execute(tx);
  const delaySeconds = batch.retries ? batch.delaysSeconds[call.attempts - 1] : undefined;
  if (batch.status !== 'running' || !call.unsuccessful || delaySeconds === undefined) {
    await tellIfNothingIsLeft(tx, batch.id);
    return;
  }
  const at = new Date(call.endedAt.getTime() + Math.max(delaySeconds, batch.minDelaySeconds ?? 0) * 1000);
  await keepUsage(tx, callId);
  await sql`
    update calls set status = 'retrying', next_attempt_at = ${at}, held_until = null, held_by = null, reason = null,
      ended_at = null, answered_at = null, talk_seconds = null, updated_at = clock_timestamp()
    where id = ${callId}`.execute(tx);
  await sql`update call_attempts set next_attempt_at = ${at} where call_id = ${callId} and number = ${call.attempts}`.execute(
    tx,
  );
  const group = groupOf(call.position, batch.callsPerWorkflow ?? 1);
  await tellWorkflows(tx, { accountId, batchId: batch.id, group });
}

/**
 * Nothing else of the batch will tell its workflow to look whether it can end. Under the lock of the batch this either sees that the
 * last call is over, or the batch looks after this is committed.
 */
async function tellIfNothingIsLeft(tx: Db, batchId: string): Promise<void> {
  const { rows } = await sql<{ open: boolean }>`
    select exists (select 1 from calls where batch_id = ${batchId} and not settled) as open`.execute(tx);
  if (rows[0]?.open === true) return;
  await addToOutbox(tx, { kind: 'signal', name: 'reconsider', workflowId: batchId, input: {} });
}
