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
import { ObjectRefused, type ObjectStore } from '../platform/object-store.js';
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
/** Failures of a round that are told one by one. */
const mostTold = 20;

/** What a round has done. */
export interface MovedRecordings {
  readonly moved: number;
  readonly deleted: number;
}

/** After so many failures in a row the store is at fault, and the rest is left to the next round. */
const mostFailures = 10;
/** After so many refusals in a row the bucket is at fault. Fewer may be about single objects, which must not hold up those after them. */
const mostRefusals = 100;

/** How long a round goes on in a bucket where something fails. */
function createPatience() {
  let spent = 0;
  return {
    isOver: (): boolean => spent >= mostRefusals,
    succeeded(): void {
      spent = 0;
    },
    failed(cause: unknown): void {
      spent += cause instanceof ObjectRefused ? 1 : mostRefusals / mostFailures;
    },
  };
}

/**
 * One round: moves recordings of calls that are over to the store, and deletes objects there that nothing refers to. A round
 * that is cut off anywhere leaves nothing behind that the next one does not know of. An object that the store refuses holds up no other
 * one, a bucket that is refused as a whole holds up no other bucket, and deletions that fail hold up no move.
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
  const failed = (what: string, cause: unknown): void => {
    if (failures.length < mostTold) failures.push(new Error(what, { cause }));
  };
  await unwantCutOff(db, new Date(now.getTime() - cutOffAfterMs));
  const deleted = await deleteUnwanted(db, store, signal, (cause) =>
    failed('an unwanted recording could not be deleted yet', cause),
  );
  let moved = 0;
  const left: string[] = [];
  const patience = createPatience();
  while (bucket !== null && !signal.aborted && !patience.isOver()) {
    const next = await nextToMove(db, new Date(now.getTime() - settledForMs), left);
    if (next === null) break;
    try {
      if (await moveOne(db, store, { bucket, key: keyOf(prefix, next) }, next, signal)) moved += 1;
      else left.push(next.callId);
      patience.succeeded();
    } catch (cause) {
      left.push(next.callId);
      patience.failed(cause);
      failed(`the recording of ${next.callId} could not be moved yet`, cause);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not all recordings could be moved or deleted.');
  return { moved, deleted };
}

/** @returns how many objects were deleted */
async function deleteUnwanted(
  db: Db,
  store: ObjectStore,
  signal: AbortSignal,
  failed: (cause: unknown) => void,
): Promise<number> {
  let deleted = 0;
  const patienceIn = new Map<string, ReturnType<typeof createPatience>>();
  const givenUp = (): string[] => [...patienceIn].flatMap(([bucket, patience]) => (patience.isOver() ? [bucket] : []));
  for (let last: ObjectPlace | null = null; !signal.aborted;) {
    const unwanted: ObjectPlace[] = await unwantedObjects(db, last, givenUp());
    for (const place of unwanted) {
      const patience = patienceIn.get(place.bucket) ?? createPatience();
      patienceIn.set(place.bucket, patience);
      if (patience.isOver()) continue;
      try {
        await store.remove(place);
        await forgetObject(db, place);
        deleted += 1;
        patience.succeeded();
      } catch (cause) {
        patience.failed(cause);
        failed(cause);
      }
    }
    last = unwanted.at(-1) ?? null;
    if (last === null) break;
  }
  return deleted;
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
