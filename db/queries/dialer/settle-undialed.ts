import { sql } from 'kysely';
import type { Db } from '../../client.js';
import { announceAttempts } from './announce-attempts.js';
import { hoursAsRead } from './judged-attempts.js';
import type { AttemptKey } from '../../../domain/call/attempt-key.js';
import type { UnreportedAttempt } from './report-attempts.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';

/** The end of an attempt that was not dialed. */
export interface UndialedEnd extends UnreportedAttempt {
  readonly accountId: string;
}

/** An attempt that will not be dialed. */
export interface UndialedAttempt extends AttemptKey {
  /** The claim under which this process holds it; null: it was found in the queue; omitted: under any claim. */
  readonly claimId?: string | null;
  /** What the client's endpoint said about it, for the record. */
  readonly preDialReason?: string | null;
  /** It ends because of this question to the client's endpoint, and not if that is void by now; omitted: for another reason. */
  readonly questionId?: string;
  /** It ends because of these hours, as they were read, and not if it has others by now; omitted: for another reason. */
  readonly hoursAsRead?: string;
  /** It ends because of guardrails of this revision, and not if they have been changed; omitted: for another reason. */
  readonly revision?: string;
}

/**
 * Settles calls that will never be dialed (again) as `failed`, without consuming an attempt: on the do-not-call list, expired,
 * gateway given up. An attempt that has been claimed or has changed hands since it was judged stays as it is, and so does one that
 * was judged by what is not in force any more. Locks calls by id, then attempts.
 *
 * @param reason stored on the record, e.g. `do_not_call`
 * @returns the ends to report to the workflows
 */
export async function settleUndialed(
  db: Db,
  keys: readonly UndialedAttempt[],
  reason: EndReason,
): Promise<UndialedEnd[]> {
  return db.transaction().execute(async (tx) => {
    const callIds = keys.map((key) => key.callId);
    await sql`select 1 from calls where id = any(${callIds}::uuid[]) order by id for no key update`.execute(tx);
    const { rows } = await sql<UndialedEnd>`
      with ended as (
        update call_attempts a
        set phase = 'ended', outcome = 'failed', reason = ${reason}, ended_at = clock_timestamp(), next_attempt_at = null
        from unnest(${callIds}::uuid[], ${keys.map((key) => key.attempt)}::smallint[],
          ${keys.map((key) => key.claimId ?? null)}::uuid[], ${keys.map((key) => key.claimId === undefined)}::boolean[],
          ${keys.map((key) => key.preDialReason ?? null)}::text[], ${keys.map((key) => key.questionId ?? null)}::uuid[],
          ${keys.map((key) => key.hoursAsRead ?? null)}::text[], ${keys.map((key) => key.revision ?? null)}::bigint[])
          as z (call_id, number, claim_id, any_claim, pre_dial_reason, question_id, as_read, revision)
        where a.call_id = z.call_id and a.number = z.number and (
          a.phase = 'queued' and z.claim_id is null
          or a.phase = 'claimed' and (z.any_claim or a.claim_id = z.claim_id))
          and (z.question_id is null or exists (
            select 1 from pre_dial_answers w
            where w.call_id = z.call_id and w.number = z.number and w.question_id = z.question_id and not w.cleared
              and w.holds_until > clock_timestamp()))
          and (z.as_read is null or exists (
            select 1 from calls c left join batches b on b.id = c.batch_id
            where c.id = z.call_id and z.as_read = ${hoursAsRead}))
          and (z.revision is null or z.revision = coalesce(
            (select y.revision from guardrails y where y.account_id = a.account_id), 0))
        returning a.call_id, a.number, a.account_id, a.batch_id, a.position, z.pre_dial_reason
      ),
      settled as (
        update calls c
        set status = 'failed', reason = ${reason}, next_attempt_at = null, last_outcome = 'failed',
          ended_at = clock_timestamp(), updated_at = clock_timestamp(), pre_dial_reason = e.pre_dial_reason
        from ended e where c.id = e.call_id and not c.settled
      )
      select e.call_id as "callId", e.number as attempt, e.account_id as "accountId", e.batch_id as "batchId", e.position,
        b.calls_per_workflow as "callsPerWorkflow", null as "nextAttemptAt"
      from ended e left join batches b on b.id = e.batch_id`.execute(tx);
    await announceAttempts(tx, rows);
    return rows;
  });
}
