import { Readable } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { moveRecordings } from '../../activities/recording-objects.js';
import { soundOf } from '../../api/calls/recording-sound.js';
import { type Database, openDatabase } from '../../db/client.js';
import { eraseContact } from '../../db/queries/accounts/erase-contact.js';
import { removePiece } from '../../db/queries/batches/delete.js';
import type { AgentLeg } from '../../db/queries/calls/conversation.js';
import { noteObject } from '../../db/queries/calls/recording-objects.js';
import {
  beginRecording,
  deleteOldRecordings,
  recordingPages,
  storeRecording,
} from '../../db/queries/calls/recordings.js';
import { formatId } from '../../domain/ids.js';
import { createLogger } from '../../platform/logger.js';
import { createObjectStore, type ObjectStore } from '../../platform/object-store.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';
import { bucket, findObjectServer, type ObjectServer, startObjectServer } from '../setup/object-store.js';

const program = findObjectServer();
const noon = new Date('2026-03-02T12:00:00.000Z');
const hourMs = 3_600_000;

describe.skipIf(program === undefined)('recordings in an S3-compatible store (VERSITYGW_BIN)', () => {
  let testing: TestDatabase;
  let database: Database;
  let server: ObjectServer;
  let store: ObjectStore;
  const accountId = formatId('account', uuidv7());
  const otherId = formatId('account', uuidv7());
  let made = 0;

  beforeAll(async () => {
    testing = await testDatabase();
    database = openDatabase({ url: testing.url, poolSize: 4, name: 'test' });
    for (const id of [accountId, otherId]) {
      await database.db.insertInto('accounts').values({ id, name: 'Test', webhook_secret_sealed: 'sealed' }).execute();
    }
    server = await startObjectServer(program ?? '');
    store = createObjectStore({ region: 'us-east-1', endpoint: server.endpoint });
  });
  afterAll(async () => {
    await server.close();
    await database.close();
    await testing.close();
  });
  beforeEach(async () => {
    await database.db.deleteFrom('recordings').execute();
    // Uploads that were cut off by the tests before are old by then.
    await round(new Date(Date.now() + 2 * hourMs));
    expect(await server.keys()).toEqual([]);
  });

  /** A call that was recorded, two bytes a page. */
  async function recorded(change: object = {}): Promise<AgentLeg & { readonly number: string }> {
    const [callId, number] = [uuidv7(), `+1555031${String(++made).padStart(4, '0')}`];
    await database.db
      .insertInto('calls')
      .values({
        ...{ id: callId, account_id: accountId, to_number: number, from_number: '+15550100001' },
        ...{ rule_id: 'rule_x', gateway_id: 'gwo_x', status: 'answered', ended_at: noon, ...change },
      })
      .execute();
    const leg = { accountId, callId, attempt: 1, number };
    await beginRecording(database.db, leg, noon);
    const chunks = Array.from({ length: 300 }, (_, sequence) => ({
      ...{ sequence, frames: 50 * sequence, bytes: Buffer.from(String(sequence % 100).padStart(2, '0')) },
    }));
    expect(await storeRecording(database.db, leg, chunks)).toBe(true);
    return leg;
  }
  const whole = Array.from({ length: 300 }, (_, sequence) => String(sequence % 100).padStart(2, '0')).join('');
  const round = (now = new Date(noon.getTime() + hourMs), to: string | null = bucket, through = store) =>
    moveRecordings(database.db, { store: through, bucket: to, prefix: 'r/' }, now, new AbortController().signal);
  const pages = async ({ callId }: AgentLeg) => (await recordingPages(database.db, accountId, callId)).length;
  const noted = async () => (await database.db.selectFrom('recording_objects').selectAll().execute()).length;

  async function heard(leg: AgentLeg, range?: { first: number; last: number }, as = accountId): Promise<string | null> {
    const deps = { database, recordingObjects: store, logger: createLogger('test', 'silent') };
    const sound = await soundOf(deps, as, leg.callId);
    if (sound === null) return null;
    const pieces: Buffer[] = [];
    for await (const piece of await sound.read(range ?? { first: 0, last: sound.size - 1 })) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  }

  test('a recording that is over is moved whole, is heard from there in any range, and leaves PostgreSQL', async () => {
    const leg = await recorded();
    expect(await heard(leg)).toBe(whole);
    expect(await round()).toEqual({ moved: 1, deleted: 0 });
    expect(await pages(leg)).toBe(0);
    expect(await heard(leg)).toBe(whole);
    expect(await heard(leg, { first: 199, last: 202 })).toBe(whole.slice(199, 203));
    expect(await server.keys()).toEqual([expect.stringContaining(`r/${accountId}/${leg.callId}/`)]);
    expect(await heard(leg, undefined, otherId)).toBeNull();
    expect(await round()).toEqual({ moved: 0, deleted: 0 });
  });

  test('without a bucket it stays in PostgreSQL, and what an earlier setting has moved is still heard and deleted', async () => {
    const [moved, stays] = [await recorded(), await recorded({ ended_at: new Date(noon.getTime() + 2 * hourMs) })];
    await round();
    await round(new Date(noon.getTime() + 9 * hourMs), null);
    expect([await heard(moved), await heard(stays), await pages(stays)]).toEqual([whole, whole, 300]);
    await database.db.transaction().execute((tx) => eraseContact(tx, accountId, moved.number));
    expect(await round(undefined, null)).toEqual({ moved: 0, deleted: 1 });
    expect(await server.keys()).toEqual([]);
  });

  test.each([
    ['one that goes on', { status: 'in-progress', ended_at: null }],
    ['one that will be made again', { status: 'retrying', ended_at: null }],
    ['one that has just ended', { ended_at: new Date(noon.getTime() + hourMs - 60_000) }],
  ])('of a call, %s, nothing is moved', async (_what, change) => {
    const leg = await recorded(change);
    expect(await round()).toEqual({ moved: 0, deleted: 0 });
    expect(await pages(leg)).toBe(300);
  });

  // shows: calls.recording
  test('with a person, a batch or their time go the objects of recordings, in the next round', async () => {
    const batchId = formatId('batch', uuidv7());
    const [person, inBatch, old] = [
      await recorded(),
      await recorded({ batch_id: batchId, position: 0 }),
      await recorded(),
    ];
    expect(await round()).toMatchObject({ moved: 3 });
    await database.db.transaction().execute((tx) => eraseContact(tx, accountId, person.number));
    while (await removePiece(database.db, accountId, batchId));
    expect(await heard(person)).toBeNull();
    expect(await heard(inBatch)).toBeNull();
    expect(await round()).toEqual({ moved: 0, deleted: 2 });
    expect(await server.keys()).toEqual([expect.stringContaining(old.callId)]);
    await deleteOldRecordings(database.db, new Date(noon.getTime() + hourMs));
    expect(await round()).toEqual({ moved: 0, deleted: 1 });
    expect([await server.keys(), await noted()]).toEqual([[], 0]);
  });

  test('a store that is away loses nothing: recordings stay readable, deletions are remembered and made later', async () => {
    const [moved, waiting] = [await recorded(), await recorded({ ended_at: new Date(noon.getTime() + 2 * hourMs) })];
    await round();
    await database.db.transaction().execute((tx) => eraseContact(tx, accountId, moved.number));
    await server.kill();
    const later = new Date(noon.getTime() + 3 * hourMs);
    await expect(round(later)).rejects.toThrow('Not all recordings could be moved or deleted.');
    expect(await heard(waiting)).toBe(whole);
    await server.restart();
    expect(await round(later)).toEqual({ moved: 1, deleted: 1 });
    expect(await server.keys()).toEqual([expect.stringContaining(waiting.callId)]);
    expect(await heard(waiting)).toBe(whole);
  });

  test('a worker that dies after the upload leaves no object that is forgotten, and the recording is moved anew', async () => {
    const leg = await recorded();
    const place = { bucket, key: `r/${accountId}/${leg.callId}/cut-off.ogg` };
    await noteObject(database.db, place, leg);
    await store.put(place, Readable.from([Buffer.from(whole)]), whole.length, new AbortController().signal);
    // The real clock decides how long an upload may still go on.
    expect(await round(new Date())).toMatchObject({ moved: 1, deleted: 0 });
    expect(await server.keys()).toHaveLength(2);
    expect(await round(new Date(Date.now() + 2 * hourMs))).toEqual({ moved: 0, deleted: 1 });
    expect(await server.keys()).toEqual([expect.not.stringContaining('cut-off')]);
    expect(await heard(leg)).toBe(whole);
  });

  test('a person who is erased during the upload is not kept by it', async () => {
    const leg = await recorded();
    const during: ObjectStore = {
      ...store,
      async put(...upload) {
        await store.put(...upload);
        await database.db.transaction().execute((tx) => eraseContact(tx, accountId, leg.number));
      },
    };
    expect(await round(undefined, bucket, during)).toEqual({ moved: 0, deleted: 0 });
    expect(await round()).toEqual({ moved: 0, deleted: 1 });
    expect([await server.keys(), await noted(), await heard(leg)]).toEqual([[], 0, null]);
  });

  test('a worker that stands still until its upload counts as cut off leaves no object that nobody knows of', async () => {
    const [kept, broken] = [await recorded(), await recorded()];
    const late: ObjectStore = {
      ...store,
      async put(...upload) {
        // Another worker has deleted what it may have left: nothing yet.
        await round(new Date(Date.now() + 2 * hourMs), null);
        await store.put(...upload);
        if (upload[0].key.includes(broken.callId)) throw new Error('The answer was lost.');
      },
    };
    await expect(round(undefined, bucket, late)).rejects.toThrow('Not all recordings');
    expect(await round(new Date(Date.now() + 2 * hourMs))).toMatchObject({ moved: 2 });
    expect([(await server.keys()).length, await noted()]).toEqual([2, 2]);
    expect([await heard(kept), await heard(broken)]).toEqual([whole, whole]);
  });

  test('two rounds at once move a recording once, and an agent that comes back then adds nothing', async () => {
    const leg = await recorded();
    const rounds = await Promise.all([round(), round()]);
    expect(rounds.reduce((sum, { moved }) => sum + moved, 0)).toBe(1);
    await round();
    expect(await server.keys()).toHaveLength(1);
    expect(await storeRecording(database.db, leg, [{ sequence: 300, frames: 1, bytes: Buffer.from('x') }])).toBe(false);
    expect(await heard(leg)).toBe(whole);
  });

  test('a recording that is deleted while it is uploaded ends the upload at once, which is no failure of the store', async () => {
    const leg = await recorded();
    const during: ObjectStore = {
      ...store,
      async put(...upload) {
        await database.db.transaction().execute((tx) => eraseContact(tx, accountId, leg.number));
        await store.put(...upload);
      },
    };
    expect(await round(undefined, bucket, during)).toEqual({ moved: 0, deleted: 0 });
    expect([await server.keys(), await heard(leg)]).toEqual([[], null]);
  });

  test('what an upload cannot read ends it at once, with its own error', async () => {
    const breaks = async function* () {
      yield Buffer.from('half of it');
      await Promise.resolve();
      throw new Error('PostgreSQL is away');
    };
    const body = Readable.from(breaks(), { objectMode: false });
    const upload = store.put({ bucket, key: 'half' }, body, 1_000, new AbortController().signal);
    await expect(upload).rejects.toThrow('PostgreSQL is away');
    expect(await server.keys()).toEqual([]);
  });

  test('an object that is not there any more, as after a restore, is a recording that is not found', async () => {
    const leg = await recorded();
    await round();
    const { object_key: key } = await database.db
      .selectFrom('recordings')
      .select('object_key')
      .where('call_id', '=', leg.callId)
      .executeTakeFirstOrThrow();
    await store.remove({ bucket, key: key ?? '' });
    await expect(heard(leg)).rejects.toThrow('No recording is stored for this call');
    await server.kill();
    await expect(heard(leg)).rejects.toThrow('does not answer now');
    await server.restart();
  });

  test('pages that come while it is uploaded are not lost: it is moved again, with them', async () => {
    const leg = await recorded();
    const during: ObjectStore = {
      ...store,
      async put(...upload) {
        await store.put(...upload);
        await storeRecording(database.db, leg, [{ sequence: 300, frames: 1, bytes: Buffer.from('end') }]);
      },
    };
    expect(await round(undefined, bucket, during)).toEqual({ moved: 0, deleted: 0 });
    expect(await round()).toEqual({ moved: 1, deleted: 1 });
    expect(await heard(leg)).toBe(`${whole}end`);
  });
});
