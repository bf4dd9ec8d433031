import type { Db } from '../../db/client.js';
import { objectOfCall } from '../../db/queries/calls/recording-objects.js';
import { recordingBytes, recordingPages } from '../../db/queries/calls/recordings.js';
import { notFound, unavailable } from '../../domain/errors.js';
import { ObjectMissing, ObjectStoreFailed } from '../../platform/object-store.js';
import type { AppDeps } from '../operation.js';
import { type ByteRange, cut, pagesOf } from './recording-range.js';

type SoundDeps = Pick<AppDeps, 'database' | 'logger' | 'recordingObjects'>;

export const noRecording = 'No recording is stored for this call';

interface Sound {
  /** In bytes. */
  readonly size: number;
  /** @throws Failure `unavailable` if the object store does not answer */
  read(range: ByteRange): Promise<AsyncIterable<Buffer>>;
}

/** The recording of a call, from where it is; null: there is none. */
export async function soundOf(deps: SoundDeps, accountId: string, callId: string): Promise<Sound | null> {
  const { db } = deps.database;
  // It may move between the two questions: then its pages are gone, and the object is there.
  return (
    (await inStore(deps, accountId, callId)) ??
    (await inDatabase(db, accountId, callId)) ??
    (await inStore(deps, accountId, callId))
  );
}

async function inStore(
  { database: { db }, recordingObjects, logger }: SoundDeps,
  accountId: string,
  callId: string,
): Promise<Sound | null> {
  const object = await objectOfCall(db, accountId, callId);
  if (object === null) return null;
  return {
    size: object.size,
    async read(range) {
      try {
        if (recordingObjects === undefined) throw new ObjectStoreFailed('no object store is set up');
        return await recordingObjects.get(object, range);
      } catch (error) {
        logger.error({ err: error, callId }, 'a recording cannot be read');
        if (error instanceof ObjectMissing) throw notFound(noRecording);
        throw unavailable('The recording is in an object store that does not answer now', 30);
      }
    },
  };
}

async function inDatabase(db: Db, accountId: string, callId: string): Promise<Sound | null> {
  const pages = await recordingPages(db, accountId, callId);
  const size = pages.reduce((sum, page) => sum + page.size, 0);
  if (size === 0) return null;
  return {
    size,
    read({ first, last }) {
      const { skip, ...stored } = pagesOf(pages, { first, last });
      return Promise.resolve(cut(recordingBytes(db, { accountId, callId }, stored), skip, last - first + 1));
    },
  };
}
