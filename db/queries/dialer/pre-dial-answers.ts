import { sql } from 'kysely';
import { answerHoldsSeconds, leftOutSeconds } from '../../../domain/batch/pre-dial.js';
import { mostColumns } from '../../../domain/batch/column-names.js';
import type { AttemptKey } from '../../../domain/call/attempt-key.js';
import type { CallingWindow } from '../../../domain/call/calling-window.js';
import type { Db } from '../../client.js';
import { goBy, type NewMetadata, zonesNamed } from '../batches/named-zone.js';
import { timeByWindow } from '../batches/window.js';
import type { PreDialLane } from './pre-dial.js';

/** Why an attempt in the queue is due later; `waiting` reads it. */
const postponed = 'pre_dial';

/** A recipient whom an endpoint has cleared. */
export interface ClearedAttempt extends AttemptKey {
  /** The metadata that was sent, and what it is to be; null: nothing is merged into it. */
  readonly metadata: { readonly before: string; readonly after: string; readonly names: readonly string[] } | null;
}

/** Finds the zones of a callee whose metadata names this zone, or none: those of the number. */
export type ZonesOf = NewMetadata['zonesOf'];

/** Why an answer cannot be taken: the batch would have too many names of metadata, or `timezone` in it is no zone. */
export type UnfitAnswer = 'too_many_names' | 'unknown_zone';

type Merged = AttemptKey & NonNullable<ClearedAttempt['metadata']>;

/**
 * Clears attempts for a minute, with what the endpoint adds to their metadata; nothing of a question that is void by now. Who has
 * other metadata meanwhile is asked about again, and so is who is to be called later, because the metadata names another zone.
 * Locks as everywhere: the batch, calls by id.
 *
 * @returns those that were not cleared because their answer cannot be taken
 */
export async function clearAttempts(
  db: Db,
  lane: PreDialLane,
  questionId: string,
  cleared: readonly ClearedAttempt[],
  zonesOf: ZonesOf,
): Promise<ReadonlyMap<string, UnfitAnswer>> {
  const unfit = new Map<string, UnfitAnswer>();
  if (cleared.length === 0) return unfit;
  return db.transaction().execute(async (tx) => {
    const merged = cleared.flatMap(({ callId, attempt, metadata }) =>
      metadata === null ? [] : [{ callId, attempt, ...metadata }],
    );
    if (merged.length > 0) {
      const names = [...new Set(merged.flatMap((each) => each.names))];
      if (!(await addColumns(tx, lane.batchId, names))) {
        for (const { callId } of cleared) unfit.set(callId, 'too_many_names');
        return unfit;
      }
      for (const callId of await mergeAnswers(tx, lane, questionId, merged, zonesOf)) unfit.set(callId, 'unknown_zone');
    }
    await markCleared(
      tx,
      questionId,
      cleared.filter(({ callId }) => !unfit.has(callId)),
    );
    return unfit;
  });
}

/** Writes metadata, and what `timezone` in it means for the clock of its callee. @returns the calls whose `timezone` is no zone */
async function mergeAnswers(
  tx: Db,
  { accountId, batchId }: PreDialLane,
  questionId: string,
  merged: readonly Merged[],
  zonesOf: ZonesOf,
): Promise<readonly string[]> {
  const naming = merged.filter(({ names }) => names.includes('timezone'));
  const batch = naming.length === 0 ? null : await lockedWindow(tx, batchId);
  const callIds = merged.map(({ callId }) => callId);
  await sql`select 1 from calls where id = any (${callIds}::uuid[]) order by id for no key update`.execute(tx);
  const zones = new Map<string, Awaited<ReturnType<typeof zonesNamed>>>();
  for (const { callId, after, names } of naming) {
    const metadata = { json: after, names, zonesOf };
    zones.set(callId, await zonesNamed(tx, { accountId, callId }, metadata, batch?.window ?? null));
  }
  const known = merged.filter(({ callId }) => zones.get(callId) !== 'unknown_zone');
  const written = await writeMetadata(tx, questionId, known);
  for (const { callId, attempt } of known) {
    const found = zones.get(callId) ?? 'as_before';
    if (batch === null || !written.has(callId) || typeof found === 'string') continue;
    await goBy(tx, callId, found);
    await timeByWindow(tx, batch, { callId, attempts: [{ attempt }], from: await earliestOf(tx, callId) });
  }
  await forgetLater(tx, questionId, known);
  return callIds.filter((callId) => zones.get(callId) === 'unknown_zone');
}

/** The window of the batch, which does not change until the transaction ends. */
async function lockedWindow(tx: Db, batchId: string) {
  const { rows } = await sql<{ window: CallingWindow | null; timezone: string }>`
    select calling_window as window, timezone from batches where id = ${batchId} for share`.execute(tx);
  return rows[0] ?? null;
}

async function earliestOf(tx: Db, callId: string): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select greatest(clock_timestamp(), next_attempt_at) as at from calls where id = ${callId}`.execute(tx);
  return rows[0]?.at ?? new Date();
}

/** @returns the calls that still had the metadata that was sent, and have the new one */
async function writeMetadata(tx: Db, questionId: string, merged: readonly Merged[]): Promise<ReadonlySet<string>> {
  // A separate statement: it sees what others have written until the calls were locked.
  const { rows } = await sql<{ id: string }>`
    update calls c set metadata = z.after::json, updated_at = clock_timestamp()
    from unnest(${merged.map(({ callId }) => callId)}::uuid[], ${merged.map(({ before }) => before)}::text[],
      ${merged.map(({ after }) => after)}::text[]) as z (call_id, before, after)
    where c.id = z.call_id and not c.settled and c.metadata::text = z.before and exists (
      select 1 from pre_dial_answers w
      where w.call_id = z.call_id and w.question_id = ${questionId} and not w.cleared
        and w.holds_until > clock_timestamp())
    returning c.id`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** Lets go of those who are due later now: they are asked about at their turn, and take no place of those who are asked before. */
async function forgetLater(tx: Db, questionId: string, keys: readonly AttemptKey[]): Promise<void> {
  await sql`
    delete from pre_dial_answers w
    using unnest(${keys.map(({ callId }) => callId)}::uuid[], ${keys.map(({ attempt }) => attempt)}::smallint[])
      as z (call_id, number), call_attempts a
    where w.call_id = z.call_id and w.number = z.number and w.question_id = ${questionId} and not w.cleared
      and a.call_id = z.call_id and a.number = z.number and a.due_at > clock_timestamp()`.execute(tx);
}

async function markCleared(tx: Db, questionId: string, cleared: readonly ClearedAttempt[]): Promise<void> {
  await sql`
    update pre_dial_answers w set cleared = true,
      holds_until = clock_timestamp() + make_interval(secs => ${answerHoldsSeconds})
    from unnest(${cleared.map(({ callId }) => callId)}::uuid[], ${cleared.map(({ attempt }) => attempt)}::smallint[],
      ${cleared.map(({ metadata }) => metadata?.after ?? null)}::text[]) as z (call_id, number, after)
    where w.call_id = z.call_id and w.number = z.number and w.question_id = ${questionId} and not w.cleared
      and w.holds_until > clock_timestamp()
      and (z.after is null or exists (
        select 1 from calls c where c.id = z.call_id and c.metadata::text = z.after))`.execute(tx);
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

/**
 * Puts recipients of whom the endpoint said nothing usable behind the others, and has them asked about again later. One who is not
 * due any more, because of a window or a promise that was made while the endpoint was asked, keeps that instant.
 */
export async function postponeAttempts(db: Db, questionId: string, keys: readonly AttemptKey[]): Promise<void> {
  if (keys.length === 0) return;
  const callIds = keys.map(({ callId }) => callId);
  await sql`
    update call_attempts a set due_at = clock_timestamp() + make_interval(secs => ${leftOutSeconds}), reason = ${postponed}
    from unnest(${callIds}::uuid[], ${keys.map(({ attempt }) => attempt)}::smallint[]) as z (call_id, number)
    where a.call_id = z.call_id and a.number = z.number and a.phase || '' = 'queued' and a.due_at <= clock_timestamp()
      and exists (
        select 1 from pre_dial_answers w
        where w.call_id = z.call_id and w.number = z.number and w.question_id = ${questionId} and not w.cleared
          and w.holds_until > clock_timestamp())`.execute(db);
}
