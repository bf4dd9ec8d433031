import { sql } from 'kysely';
import { answerHoldsSeconds, leftOutSeconds } from '../../../domain/batch/pre-dial.js';
import { mostColumns } from '../../../domain/batch/column-names.js';
import type { AttemptKey } from '../../../domain/call/attempt-key.js';
import type { Db } from '../../client.js';
import type { PreDialLane } from './pre-dial.js';

/** Why an attempt in the queue is due later; `waiting` reads it. */
const postponed = 'pre_dial';

/** A recipient whom an endpoint has cleared. */
export interface ClearedAttempt extends AttemptKey {
  /** The metadata that was sent, and what it is to be; null: nothing is merged into it. */
  readonly metadata: { readonly before: string; readonly after: string; readonly names: readonly string[] } | null;
}

/**
 * Clears attempts for a minute, with what the endpoint adds to their metadata; nothing of a question that is void by now. Who has
 * other metadata meanwhile is asked about again. Locks as everywhere: the batch, calls by id.
 *
 * @returns false if the metadata of the batch would have too many names: nothing was cleared
 */
export async function clearAttempts(
  db: Db,
  { batchId }: PreDialLane,
  questionId: string,
  cleared: readonly ClearedAttempt[],
): Promise<boolean> {
  if (cleared.length === 0) return true;
  return db.transaction().execute(async (tx) => {
    const merged = cleared.flatMap(({ callId, metadata }) => (metadata === null ? [] : [{ callId, ...metadata }]));
    if (merged.length > 0) {
      const names = [...new Set(merged.flatMap((each) => each.names))];
      if (!(await addColumns(tx, batchId, names))) return false;
      const callIds = merged.map(({ callId }) => callId);
      await sql`select 1 from calls where id = any (${callIds}::uuid[]) order by id for no key update`.execute(tx);
      // A separate statement: it sees what others have written until the calls were locked.
      await sql`
        update calls c set metadata = z.after::json, updated_at = clock_timestamp()
        from unnest(${callIds}::uuid[], ${merged.map(({ before }) => before)}::text[],
          ${merged.map(({ after }) => after)}::text[]) as z (call_id, before, after)
        where c.id = z.call_id and not c.settled and c.metadata::text = z.before and exists (
          select 1 from pre_dial_answers w
          where w.call_id = z.call_id and w.question_id = ${questionId} and not w.cleared
            and w.holds_until > clock_timestamp())`.execute(tx);
    }
    await sql`
      update pre_dial_answers w set cleared = true,
        holds_until = clock_timestamp() + make_interval(secs => ${answerHoldsSeconds})
      from unnest(${cleared.map(({ callId }) => callId)}::uuid[], ${cleared.map(({ attempt }) => attempt)}::smallint[],
        ${cleared.map(({ metadata }) => metadata?.after ?? null)}::text[]) as z (call_id, number, after)
      where w.call_id = z.call_id and w.number = z.number and w.question_id = ${questionId} and not w.cleared
        and w.holds_until > clock_timestamp()
        and (z.after is null or exists (
          select 1 from calls c where c.id = z.call_id and c.metadata::text = z.after))`.execute(tx);
    return true;
  });
}

/** Names that metadata brings become columns of the export. @returns whether the batch has room for them */
async function addColumns(tx: Db, batchId: string, names: readonly string[]): Promise<boolean> {
  const columnsOf = async (lock = sql``) => {
    const { rows } = await sql<{ columns: readonly string[] }>`
      select columns from batches where id = ${batchId} ${lock}`.execute(tx);
    return rows[0]?.columns ?? [];
  };
  const known = await columnsOf();
  if (names.every((name) => known.includes(name))) return true;
  const locked = await columnsOf(sql`for no key update`);
  const fresh = names.filter((name) => !locked.includes(name));
  // phone_number is one of the columns.
  if (locked.length + fresh.length > mostColumns + 1) return false;
  await sql`
    update batches set columns = columns || ${fresh}::text[] where id = ${batchId}`.execute(tx);
  return true;
}

/** Puts recipients of whom the endpoint said nothing usable behind the others, and has them asked about again later. */
export async function postponeAttempts(db: Db, questionId: string, keys: readonly AttemptKey[]): Promise<void> {
  if (keys.length === 0) return;
  const callIds = keys.map(({ callId }) => callId);
  await sql`
    update call_attempts a set due_at = clock_timestamp() + make_interval(secs => ${leftOutSeconds}), reason = ${postponed}
    from unnest(${callIds}::uuid[], ${keys.map(({ attempt }) => attempt)}::smallint[]) as z (call_id, number)
    where a.call_id = z.call_id and a.number = z.number and a.phase || '' = 'queued' and exists (
      select 1 from pre_dial_answers w
      where w.call_id = z.call_id and w.number = z.number and w.question_id = ${questionId} and not w.cleared
        and w.holds_until > clock_timestamp())`.execute(db);
}
