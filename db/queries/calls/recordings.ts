import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { AgentLeg } from './conversation.js';

/** The place at which a recording goes on. */
export interface RecordingPlace {
  /** When its first sound was. */
  readonly startedAt: Date;
  /** Number of the next page. */
  readonly sequence: number;
  /** Frames of 20 ms that are stored. */
  readonly frames: number;
}

/** A page of the stream. */
export interface RecordingChunk {
  readonly sequence: number;
  /** Frames of the whole stream up to its end. */
  readonly frames: number;
  readonly bytes: Uint8Array;
}

/** A leg, and the agent on it that records. */
export interface RecordingAgent extends AgentLeg {
  /** LiveKit's job; omitted: the only agent that the leg has. */
  readonly run?: string;
}

/**
 * Begins the recording of a leg, or continues one that an agent left when it died; if that lives after all, it stores nothing more. What an
 * earlier attempt of the call has left goes: a call has one recording.
 *
 * @returns null if the call may no longer be kept, or a later attempt is recorded
 */
export async function beginRecording(
  db: Db,
  { accountId, callId, attempt, run }: RecordingAgent,
  startedAt: Date,
): Promise<RecordingPlace | null> {
  return db.transaction().execute(async (tx) => {
    // An erasure of the call waits for this lock, or has been committed.
    const { rows: calls } = await sql`
      select 1 from calls where id = ${callId}::uuid and account_id = ${accountId} and erased_at is null
        and purged_at is null for share`.execute(tx);
    if (calls.length === 0) return null;
    await sql`
      delete from recordings where call_id = ${callId}::uuid and account_id = ${accountId} and attempt < ${attempt}`.execute(
      tx,
    );
    await sql`
      insert into recordings (call_id, account_id, attempt, started_at)
      values (${callId}::uuid, ${accountId}, ${attempt}, ${startedAt}) on conflict do nothing`.execute(tx);
    // It waits for pages that are being stored, and those that come later find that they are not wanted.
    await sql`select 1 from recordings where call_id = ${callId}::uuid and account_id = ${accountId} for update`.execute(
      tx,
    );
    await sql`
      update recordings set writer = ${run ?? null}
      where call_id = ${callId}::uuid and account_id = ${accountId} and attempt = ${attempt}`.execute(tx);
    const { rows } = await sql<RecordingPlace>`
      select r.started_at as "startedAt", coalesce(max(c.sequence) + 1, 0) as sequence, coalesce(max(c.frames), 0) as frames
      from recordings r left join recording_chunks c on c.call_id = r.call_id and c.account_id = r.account_id
      where r.call_id = ${callId}::uuid and r.account_id = ${accountId} and r.attempt = ${attempt}
      group by r.call_id`.execute(tx);
    return rows[0] ?? null;
  });
}

/**
 * Stores pages of a recording; pages that exist already stay.
 *
 * @returns false if the recording was deleted or moved, or another agent has taken it over
 */
export async function storeRecording(
  db: Db,
  { accountId, callId, attempt, run }: RecordingAgent,
  chunks: readonly RecordingChunk[],
): Promise<boolean> {
  const { rows } = await sql`
    with recording as (
      select call_id, account_id from recordings
      where call_id = ${callId}::uuid and account_id = ${accountId} and attempt = ${attempt} and object_key is null
        and writer is not distinct from ${run ?? null}::text
      for key share
    ), stored as (
      insert into recording_chunks (call_id, account_id, sequence, frames, bytes)
      select r.call_id, r.account_id, c.sequence, c.frames, c.bytes
      from recording r, unnest(${chunks.map(({ sequence }) => sequence)}::integer[],
        ${chunks.map(({ frames }) => frames)}::integer[],
        ${chunks.map(({ bytes }) => Buffer.from(bytes))}::bytea[]) as c (sequence, frames, bytes)
      on conflict do nothing
    )
    select 1 from recording`.execute(db);
  return rows.length > 0;
}

/** A page as it is stored. */
export interface RecordingPage {
  readonly sequence: number;
  /** In bytes. */
  readonly size: number;
}

/** The pages of a recording in order; none if nothing of it is stored. */
export async function recordingPages(db: Db, accountId: string, callId: string): Promise<RecordingPage[]> {
  const { rows } = await sql<RecordingPage>`
    select sequence, octet_length(bytes) as size from recording_chunks
    where call_id = ${callId}::uuid and account_id = ${accountId} order by sequence`.execute(db);
  return rows;
}

/** A recording was deleted, or moved to an object store, while it was read. */
export class RecordingGone extends Error {
  override readonly name = 'RecordingGone';
}

/** Some 300 kB, two minutes. */
const pagesAtOnce = 128;

/**
 * The bytes of a recording from this page on, read as they are asked for.
 *
 * @throws RecordingGone if that happens before this many pages were read
 */
export async function* recordingBytes(
  db: Db,
  { accountId, callId }: { readonly accountId: string; readonly callId: string },
  { sequence, pages }: { readonly sequence: number; readonly pages: number },
): AsyncGenerator<Buffer> {
  let next = sequence;
  for (let left = pages; left > 0;) {
    const { rows } = await sql<{ sequence: number; bytes: Buffer }>`
      select sequence, bytes from recording_chunks
      where call_id = ${callId}::uuid and account_id = ${accountId} and sequence >= ${next}
      order by sequence limit ${Math.min(left, pagesAtOnce)}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) throw new RecordingGone('a recording was deleted while it was read');
    yield Buffer.concat(rows.map(({ bytes }) => bytes));
    next = last.sequence + 1;
    left -= rows.length;
  }
}

/** Recordings deleted by one transaction: those of an hour-long call are some 3,600 rows each. */
const recordingsAtOnce = 100;

/** Deletes recordings of before this instant. No call goes on for a day. @returns whether more may be left */
export async function deleteOldRecordings(db: Db, before: Date): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from recordings where call_id in (
      select call_id from recordings where started_at < ${before}
      order by started_at limit ${recordingsAtOnce} for update skip locked)`.execute(db);
  return Number(numAffectedRows) === recordingsAtOnce;
}
