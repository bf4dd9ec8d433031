import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { CalleeHours } from '../../../domain/account/guardrails.js';
import { wakeGateways } from './wake-gateways.js';
import type { AttemptKey } from '../../../domain/call/attempt-key.js';

/** When one callee may be called, as it is stored. */
export interface StoredHours extends CalleeHours {
  readonly to: string | null;
  /** Window and zones as the database writes them: tells whether they have been changed since. */
  readonly asRead: string;
}

/** What {@link StoredHours.asRead} is, for the batch `b` and the call `c`. */
export const hoursAsRead = sql`concat_ws(' ', b.calling_window::text, array_to_string(c.time_zones, ','))`;

/** For each of these calls, in their order: the number, its time zones and the window of its batch. */
export async function calleeHours(db: Db, callIds: readonly string[]): Promise<StoredHours[]> {
  const { rows } = await sql<StoredHours>`
    select c.to_number as to, c.time_zones as "timeZones", b.calling_window as "callingWindow",
      b.timezone as "batchTimezone", ${hoursAsRead} as "asRead"
    from unnest(${callIds}::uuid[]) with ordinality as z (call_id, place)
    left join calls c on c.id = z.call_id
    left join batches b on b.id = c.batch_id
    order by z.place`.execute(db);
  return rows;
}

/** A queued attempt that is due. */
export interface DueAttempt extends AttemptKey {
  readonly accountId: string;
  readonly toNumber: string;
  readonly fromNumber: string;
  /** Its place in the queue, to go on from. */
  readonly lane: string;
  readonly dueText: string;
  readonly position: number;
}

/** Up to `most` attempts of a gateway that are due, in the order of the queue, after this one. */
export async function dueAttempts(
  db: Db,
  gatewayId: string,
  after: DueAttempt | null,
  most: number,
): Promise<DueAttempt[]> {
  const { rows } = await sql<DueAttempt>`
    select a.call_id as "callId", a.number as attempt, a.account_id as "accountId", a.to_number as "toNumber",
      c.from_number as "fromNumber", a.lane, a.due_at::text as "dueText", a.position
    from call_attempts a join calls c on c.id = a.call_id
    where a.gateway_id = ${gatewayId} and a.phase = 'queued'
      and a.due_at <= statement_timestamp() and a.not_after > statement_timestamp()
      ${
        after === null
          ? sql``
          : sql`and (a.lane, a.due_at, a.position, a.call_id)
              > (${after.lane}, ${after.dueText}::timestamptz, ${after.position}::integer, ${after.callId}::uuid)`
      }
    order by a.lane, a.due_at, a.position, a.call_id
    limit ${most}`.execute(db);
  return rows;
}

/** Which of the guardrails lets an attempt wait. */
export type GuardrailWait = 'guardrail_hours' | 'daily_limit';

/** An attempt that has to wait, and until when. */
export interface Wait extends AttemptKey {
  readonly reason: GuardrailWait;
  readonly dueAt: Date;
  /** The claim under which this process holds it; null: it was found in the queue. */
  readonly claimId: string | null;
  /** End of the hours that dueAt lies in, if its batch has a window; else null. */
  readonly notAfter: Date | null;
  /** Revision of the guardrails by which it waits. */
  readonly revision: string;
  /** {@link StoredHours.asRead} of the hours that dueAt was worked out from; null if it waits for another day, by no hours. */
  readonly hoursAsRead: string | null;
}

/**
 * Puts attempts back in the queue for later, nothing consumed. Attempts that have been claimed or have changed hands since
 * they were judged stay as they are. If the guardrails, the batch's window or the callee's zones have changed since they were
 * read, the attempt goes back with its old times and is judged again: nothing waits by what is not in force.
 */
export async function deferAttempts(db: Db, waits: readonly Wait[]): Promise<void> {
  const callIds = waits.map((wait) => wait.callId);
  const judgedByOthers = await db.transaction().execute(async (tx) => {
    // A change of the guardrails waits for this lock, or is seen by the next statement. Accounts without a row have no waits.
    await sql`
      select 1 from guardrails
      where account_id in (select c.account_id from calls c where c.id = any (${callIds}::uuid[]))
      order by account_id for share`.execute(tx);
    // So does a change of a window.
    await sql`
      select 1 from batches
      where id in (select c.batch_id from calls c where c.id = any (${callIds}::uuid[]))
      order by id for share`.execute(tx);
    // Locks as everywhere: calls by id, then attempts.
    await sql`
      select 1 from calls where id = any (${callIds}::uuid[]) and batch_id is not null
      order by id for no key update`.execute(tx);
    const { rows } = await sql<{ gatewayId: string; asJudged: boolean }>`
      with deferred as (update call_attempts a
      set phase = 'queued', claimed_by = null, dial_at = null,
        -- What was judged by no hours does not know of a window that the batch has got since.
        due_at = case when z.as_judged
          then greatest(z.due_at, z.no_sooner, case when z.as_read is null then a.due_at end) else a.due_at end,
        not_after = case when z.as_judged then coalesce(z.not_after, a.not_after) else a.not_after end
      from (
        select z.*, c.next_attempt_at as no_sooner, coalesce(y.revision, 0) = z.revision and (z.as_read is null or z.as_read = ${hoursAsRead}) as as_judged
        from unnest(${callIds}::uuid[], ${waits.map((wait) => wait.attempt)}::smallint[],
          ${waits.map((wait) => wait.dueAt)}::timestamptz[], ${waits.map((wait) => wait.notAfter)}::timestamptz[],
          ${waits.map((wait) => wait.revision)}::bigint[], ${waits.map((wait) => wait.claimId)}::uuid[],
          ${waits.map((wait) => wait.hoursAsRead)}::text[], ${waits.map((wait) => wait.reason)}::text[])
          as z (call_id, number, due_at, not_after, revision, claim_id, as_read, reason)
        join calls c on c.id = z.call_id
        left join batches b on b.id = c.batch_id
        left join guardrails y on y.account_id = c.account_id
      ) z
      where a.call_id = z.call_id and a.number = z.number
        and (a.phase = 'queued' and z.claim_id is null or a.phase = 'claimed' and a.claim_id = z.claim_id)
      returning a.call_id, a.gateway_id, a.due_at, z.reason, z.as_judged),
      held as (
        update calls c set held_until = d.due_at, held_by = d.reason from deferred d
        where c.id = d.call_id and c.batch_id is not null and d.as_judged
      )
      select d.gateway_id as "gatewayId", d.as_judged as "asJudged" from deferred d`.execute(tx);
    return rows.filter(({ asJudged }) => !asJudged).map(({ gatewayId }) => gatewayId);
  });
  await wakeGateways(db, judgedByOthers);
}
