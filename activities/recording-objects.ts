import { Readable } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../db/client.js';
import {
  forgetObject,
  keepObject,
  type MovableRecording,
  nextToMove,
  noteObject,
  type ObjectPlace,
  unwantCutOff,
  unwantedObjects,
} from '../db/queries/calls/recording-objects.js';
import { recordingBytes, RecordingGone, recordingPages } from '../db/queries/calls/recordings.js';
import type { ObjectStore } from '../platform/object-store.js';
import { withTimeLimit } from '../platform/time-limit.js';

/** Where recordings go. */
export interface RecordingStore {
  readonly store: ObjectStore;
  /** null: nothing more is moved; what an earlier setting has moved is still deleted. */
  readonly bucket: string | null;
  readonly prefix: string;
}

/** An agent that was slow stores the last pages of a call within seconds of its end. */
const settledForMs = 5 * 60_000;
const uploadWithinMs = 10 * 60_000;
/** Longer than any upload goes on. */
const cutOffAfterMs = 60 * 60_000;
/** After so many failures in a row the store is at fault, and the rest is left to the next round. */
const mostFailures = 10;

/** What a round has done. */
export interface MovedRecordings {
  readonly moved: number;
  readonly deleted: number;
}

/**
 * One round: moves recordings of calls that are over to the store, and deletes objects there that nothing refers to. A round
 * that is cut off anywhere leaves nothing behind that the next one does not know of.
 *
 * @throws AggregateError at the end, if something failed
 */
export async function moveRecordings(
  db: Db,
  { store, bucket, prefix }: RecordingStore,
  now: Date,
  signal: AbortSignal,
): Promise<MovedRecordings> {
  const failures: Error[] = [];
  await unwantCutOff(db, new Date(now.getTime() - cutOffAfterMs));
  let deleted = 0;
  for (let last: ObjectPlace | null = null, more = true; more && !signal.aborted && failures.length < mostFailures;) {
    const unwanted: ObjectPlace[] = await unwantedObjects(db, last);
    for (const place of unwanted) {
      try {
        await store.remove(place);
        await forgetObject(db, place);
        deleted += 1;
      } catch (cause) {
        failures.push(new Error('an unwanted recording could not be deleted yet', { cause }));
      }
      if (failures.length >= mostFailures) break;
    }
    more = unwanted.length > 0;
    last = unwanted.at(-1) ?? null;
  }
  let moved = 0;
  const failed: string[] = [];
  while (bucket !== null && !signal.aborted && failures.length < mostFailures) {
    const next = await nextToMove(db, new Date(now.getTime() - settledForMs), failed);
    if (next === null) break;
    try {
      if (await moveOne(db, store, { bucket, key: keyOf(prefix, next) }, next, signal)) moved += 1;
      else failed.push(next.callId);
    } catch (cause) {
      failed.push(next.callId);
      failures.push(new Error(`the recording of ${next.callId} could not be moved yet`, { cause }));
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not all recordings could be moved or deleted.');
  return { moved, deleted };
}

/** Its own for each upload: none writes over another, of whatever account. */
const keyOf = (prefix: string, { accountId, callId }: MovableRecording): string =>
  `${prefix}${accountId}/${callId}/${uuidv7()}.ogg`;

async function moveOne(
  db: Db,
  store: ObjectStore,
  place: ObjectPlace,
  recording: MovableRecording,
  signal: AbortSignal,
): Promise<boolean> {
  const pages = await recordingPages(db, recording.accountId, recording.callId);
  const size = pages.reduce((sum, page) => sum + page.size, 0);
  const [first] = pages;
  if (first === undefined) return false;
  await noteObject(db, place, recording);
  const bytes = recordingBytes(db, recording, { sequence: first.sequence, pages: pages.length });
  const within = withTimeLimit(signal, uploadWithinMs);
  try {
    await store.put(place, Readable.from(bytes, { objectMode: false }), size, within);
  } catch (error) {
    // A worker that had stood still for an hour may have made it after another has deleted what it could have left.
    await noteObject(db, place, recording);
    if (error instanceof RecordingGone) return false;
    throw error;
  }
  return keepObject(db, place, recording, size);
}
