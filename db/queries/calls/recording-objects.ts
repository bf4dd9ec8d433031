import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** An object of a store. */
export interface ObjectPlace {
  readonly bucket: string;
  readonly key: string;
}

/** A recording that is over, and all of it in PostgreSQL. */
export interface MovableRecording {
  readonly accountId: string;
  readonly callId: string;
  readonly attempt: number;
}

/**
 * The oldest recording that can be moved: its call was over at this instant.
 *
 * @param but calls whose recordings could not be moved just now
 */
export async function nextToMove(db: Db, endedBefore: Date, but: readonly string[]): Promise<MovableRecording | null> {
  const { rows } = await sql<MovableRecording>`
    select r.account_id as "accountId", r.call_id as "callId", r.attempt
    from recordings r join calls c on c.id = r.call_id and c.account_id = r.account_id
    where r.object_key is null and r.started_at < ${endedBefore} and c.settled and c.ended_at < ${endedBefore}
      and not r.call_id = any (${[...but]}::uuid[])
      and exists (select 1 from recording_chunks p where p.call_id = r.call_id and p.account_id = r.account_id)
    order by r.started_at limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Writes down that an object is about to be made, or may have been: no round knows of it otherwise. */
export async function noteObject(db: Db, place: ObjectPlace, { accountId, callId }: MovableRecording): Promise<void> {
  await sql`
    insert into recording_objects (bucket, key, account_id, call_id)
    values (${place.bucket}, ${place.key}, ${accountId}, ${callId}::uuid) on conflict do nothing`.execute(db);
}

/**
 * From now on the object is the recording, and its pages in PostgreSQL go. If the recording was deleted, moved or added to
 * meanwhile, the object is unwanted instead, also if the upload took so long that another round has forgotten it.
 *
 * @param size bytes that were uploaded
 * @returns whether it was moved
 */
export async function keepObject(
  db: Db,
  { bucket, key }: ObjectPlace,
  { accountId, callId, attempt }: MovableRecording,
  size: number,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows: still } = await sql`
      select 1 from recordings where call_id = ${callId}::uuid and account_id = ${accountId} and attempt = ${attempt}
        and object_key is null for update`.execute(tx);
    const { rows: stored } = await sql<{ size: number | null }>`
      select sum(octet_length(bytes))::float8 as size from recording_chunks
      where call_id = ${callId}::uuid and account_id = ${accountId}`.execute(tx);
    const isSame = still.length > 0 && stored[0]?.size === size;
    const { rows: noted } = await sql`
      update recording_objects set size = ${size}, unwanted_at = case when ${isSame} then null else clock_timestamp() end
      where bucket = ${bucket} and key = ${key} and unwanted_at is null returning 1`.execute(tx);
    if (noted.length === 0) {
      await sql`
        insert into recording_objects (bucket, key, account_id, call_id, size, unwanted_at)
        values (${bucket}, ${key}, ${accountId}, ${callId}::uuid, ${size}, clock_timestamp())
        on conflict do nothing`.execute(tx);
    }
    if (!isSame || noted.length === 0) return false;
    await sql`
      update recordings set object_bucket = ${bucket}, object_key = ${key}
      where call_id = ${callId}::uuid and account_id = ${accountId}`.execute(tx);
    await sql`
      delete from recording_chunks where call_id = ${callId}::uuid and account_id = ${accountId}`.execute(tx);
    return true;
  });
}

/** Where the recording of a call is, if an object store has it. */
export async function objectOfCall(
  db: Db,
  accountId: string,
  callId: string,
): Promise<(ObjectPlace & { readonly size: number }) | null> {
  const { rows } = await sql<ObjectPlace & { size: number }>`
    select o.bucket, o.key, o.size::float8 as size
    from recordings r join recording_objects o on o.bucket = r.object_bucket and o.key = r.object_key
    where r.call_id = ${callId}::uuid and r.account_id = ${accountId} and o.account_id = ${accountId}`.execute(db);
  return rows[0] ?? null;
}

/** Uploads that were cut off are unwanted. @param before no upload that began earlier goes on */
export async function unwantCutOff(db: Db, before: Date): Promise<void> {
  await sql`
    update recording_objects set unwanted_at = clock_timestamp()
    where size is null and unwanted_at is null and created_at < ${before}`.execute(db);
}

const unwantedAtOnce = 100;

/**
 * Objects that have to be deleted, by bucket and key.
 *
 * @param after the one before
 * @param but buckets that are left out
 */
export async function unwantedObjects(
  db: Db,
  after: ObjectPlace | null,
  but: readonly string[],
): Promise<ObjectPlace[]> {
  const { rows } = await sql<ObjectPlace>`
    select bucket, key from recording_objects
    where unwanted_at is not null and not bucket = any (${[...but]}::text[])
      and (${after === null} or (bucket, key) > (${after?.bucket ?? ''}, ${after?.key ?? ''}))
    order by bucket, key limit ${unwantedAtOnce}`.execute(db);
  return rows;
}

/** The object is gone. */
export async function forgetObject(db: Db, { bucket, key }: ObjectPlace): Promise<void> {
  await sql`
    delete from recording_objects where bucket = ${bucket} and key = ${key} and unwanted_at is not null`.execute(db);
}
