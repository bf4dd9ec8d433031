import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, type Db, openDatabase } from '../../../db/client.js';
import { lockPrices, putPrices } from '../../../db/queries/accounts/prices.js';
import { callRecordAgain } from '../../../db/queries/batches/call-again.js';
import { planCallback } from '../../../db/queries/batches/callback.js';
import { cancelStep } from '../../../db/queries/batches/cancel.js';
import { deleteBatch } from '../../../db/queries/batches/delete.js';
import { storeAnsweredBy } from '../../../db/queries/calls/conversation.js';
import { storeAnalysis } from '../../../db/queries/calls/analyses.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { foldFigures } from '../../../db/queries/dialer/fold-figures.js';
import { figuresOfAccount, figuresOfBatch } from '../../../db/queries/figures/figures.js';
import { timelineOf } from '../../../db/queries/figures/timeline.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant } from '../../workflow/fixtures.js';
import { endAttempts, moveTo, queuedAttempts } from '../../workflow/play-dialer.js';
import { aRunningBatch } from './running-batch.js';
import { everyDay, figuresAreTrue } from './counted-figures.js';
import { timelineIsTrue } from './counted-timeline.js';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 10, name: 'test' });
});
afterAll(async () => {
  await database.close();
  await own.close();
});

const step = fc.record({
  batch: fc.nat(1),
  move: fc.constantFrom(
    'queue',
    'dial',
    'settle',
    'retry',
    'cancel',
    'fold',
    'learn',
    'again',
    'killed',
    'answer',
    'earlier',
    'end',
    'analyze',
    'fail',
  ),
  of: fc.nat(7),
  outcome: fc.constantFrom('answered', 'failed', 'not-answered', 'rejected', 'missed', 'abandoned'),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** One step of a history. `killed`: a process dies before its commit. */
async function make(
  { move, of, outcome }: Step,
  accountId: string,
  batchId: string,
  callIds: readonly string[],
): Promise<void> {
  const { db } = database;
  const queued = (await queuedAttempts(db, batchId)).slice(0, of);
  if (move === 'queue') {
    const { rows } = await sql<{ id: string; made: number }>`
      select id, attempts_made as made from calls where id = any(${callIds}::uuid[])`.execute(db);
    const attempts = rows.map(({ id, made }) => [id, made + 1] as const);
    await queueAttempts(db, { accountId, batchId, attempts }, new Date());
  } else if (move === 'dial') await moveTo(db, queued, 'dialing');
  else if (move === 'answer') await moveTo(db, queued, 'answered');
  else if (move === 'earlier') {
    await sql`
      update call_attempts set dialed_at = dialed_at - make_interval(mins => ${of * 37})
      where batch_id = ${batchId} and phase in ('dialing', 'ringing', 'answered')`.execute(db);
  } else if (move === 'end') {
    const some = callIds.slice(0, of).map((callId) => ({ callId, attempt: 0, to: '', batchId, position: 0 }));
    await endAttempts(db, some, outcome);
  } else if (move === 'cancel') {
    await sql`update batches set status = 'cancelling', cancel_mode = 'immediate' where id = ${batchId}`.execute(db);
    await cancelStep(db, accountId, batchId);
  } else if (move === 'fold') await foldFigures(db);
  else if (move === 'learn') {
    for (const callId of callIds.slice(0, of)) await storeAnsweredBy(db, { accountId, callId, attempt: 1 }, 'human');
  } else if (move === 'analyze' || move === 'fail') {
    // As a worker does that died before it heard that the analysis was stored: twice.
    for (const callId of [...callIds.slice(0, of), ...callIds.slice(0, of)]) {
      await storeAnalysis(db, { accountId, callId }, { kept: move === 'analyze' }, move === 'analyze');
    }
  } else if (move === 'again') {
    for (const callId of callIds.slice(0, of)) {
      await db.transaction().execute((tx) => callRecordAgain(tx, { accountId, batchId, callId }));
    }
  } else if (move === 'killed') {
    const dying = db.transaction().execute(async (tx) => {
      await sql`update calls set status = 'failed', reason = 'lost' where batch_id = ${batchId} and not settled`.execute(
        tx,
      );
      await sql`select fold_figures(100)`.execute(tx);
      throw new Error('killed');
    });
    await expect(dying).rejects.toThrow('killed');
  } else await endAttempts(db, queued, outcome, move === 'retry' ? 1 : null);
}

/** Prices of an account, as PUT stores them. */
const putPricesOf = (db: Db, accountId: string, country: string | null) =>
  db.transaction().execute(async (tx) => {
    await lockPrices(tx, accountId, 'USD');
    const price = { gatewayId: null, country, perMinuteMicros: 7_777, incrementSeconds: 1, minimumSeconds: 6 };
    await putPrices(tx, accountId, { currency: 'USD', calls: [price] });
  });

/** A batch whose calls have all been answered once. @param nextInSeconds when each is made again; omitted: never */
async function anAnsweredBatch(calls: number, nextInSeconds: number | null = null) {
  const { db } = database;
  const tenant = await aTenant(db);
  const { accountId } = tenant;
  const { batchId, callIds } = await aRunningBatch(db, tenant, calls);
  const attempts = callIds.map((callId) => [callId, 1] as const);
  await queueAttempts(db, { accountId, batchId, attempts }, new Date());
  await endAttempts(db, await queuedAttempts(db, batchId), 'answered', nextInSeconds);
  return { tenant, accountId, batchId, callIds };
}

// shows: batches.figures
test('figures and timelines are the sums over calls and attempts after any history, also of processes that died, before and after they are folded', async () => {
  const { db } = database;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (history) => {
      const own = await aTenant(db);
      // Calls whose country is not known fit the price of all in one half of the histories, and none in the other.
      await putPricesOf(db, own.accountId, history.length % 2 === 0 ? null : 'IN');
      const batches = [await aRunningBatch(db, own, 6), await aRunningBatch(db, own, 6)];
      await sql`
        update calls set variant = (array['agt_a', 'ver_b', null])[1 + position % 3]
        where batch_id = ${batches[0]?.batchId}`.execute(db);
      for (const each of history) {
        await make(each, own.accountId, batches[each.batch]!.batchId, batches[each.batch]!.callIds);
      }
      await figuresAreTrue(
        db,
        own,
        batches.map(({ batchId }) => batchId),
      );
    }),
    { numRuns: 20, seed: 20_261_123 },
  );
});

test('an answered call that is made again stays counted as it was answered, also if that is said late, until the new attempt is over', async () => {
  const { db } = database;
  const { tenant, accountId, batchId, callIds } = await anAnsweredBatch(3);
  await figuresAreTrue(db, tenant, [batchId]);
  for (const callId of callIds) {
    await db.transaction().execute((tx) => callRecordAgain(tx, { accountId, batchId, callId }));
  }
  expect(await figuresOfBatch(db, accountId, batchId, 'status')).toMatchObject([
    { key: 'answered', calls: 0, attempts: 3, human: 1, machine: 1 },
  ]);
  await figuresAreTrue(db, tenant, [batchId]);
  for (const callId of callIds) await storeAnsweredBy(db, { accountId, callId, attempt: 1 }, 'human');
  await figuresAreTrue(db, tenant, [batchId]);
  await endAttempts(db, await queuedAttempts(db, batchId), 'missed');
  await figuresAreTrue(db, tenant, [batchId]);
});

test('who answered a call that goes on, because another attempt is planned or was promised, counts also if it is said late', async () => {
  const { db } = database;
  const { tenant, accountId, batchId, callIds } = await anAnsweredBatch(4, 3_600);
  const tomorrow = new Date(Date.now() + 86_400_000);
  for (const callId of callIds.slice(2)) {
    await db.transaction().execute((tx) => planCallback(tx, { accountId, batchId, callId }, tomorrow, new Date()));
  }
  for (const callId of callIds) await storeAnsweredBy(db, { accountId, callId, attempt: 1 }, 'human');
  expect(await figuresOfBatch(db, accountId, batchId, 'attempt')).toMatchObject([
    { attempts: 4, human: 4, machine: 0 },
  ]);
  await figuresAreTrue(db, tenant, [batchId]);
});

test('what an attempt has cost moves with it if it is said late who answered, and stays if the call is made again', async () => {
  const { db } = database;
  const tenant = await aTenant(db);
  const { accountId } = tenant;
  await putPricesOf(db, accountId, null);
  const { batchId, callIds } = await aRunningBatch(db, tenant, 4);
  await queueAttempts(db, { accountId, batchId, attempts: callIds.map((callId) => [callId, 1] as const) }, new Date());
  const queued = await queuedAttempts(db, batchId);
  await sql`
    update call_attempts set answered_at = now(), country = 'US' where batch_id = ${batchId}`.execute(db);
  await endAttempts(db, queued, 'answered');
  await figuresAreTrue(db, tenant, [batchId]);
  for (const callId of callIds) await storeAnsweredBy(db, { accountId, callId, attempt: 1 }, 'human');
  const [human, ...others] = await figuresOfBatch(db, accountId, batchId, 'answeredBy');
  expect(human).toMatchObject({ key: 'human', attempts: 4 });
  expect(others).toEqual([]);
  expect(Number(human?.costMicros) + (human?.unpriced ?? 0)).toBeGreaterThan(0);
  await figuresAreTrue(db, tenant, [batchId]);
  for (const callId of callIds)
    await db.transaction().execute((tx) => callRecordAgain(tx, { accountId, batchId, callId }));
  await figuresAreTrue(db, tenant, [batchId]);
});

test('a success counts once, whenever the analysis comes and however often it is stored, and stays with its attempt', async () => {
  const { db } = database;
  const { tenant, accountId, batchId, callIds } = await anAnsweredBatch(4);
  const successes = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await figuresOfBatch(db, accountId, batchId, 'attempt')).map(({ key, success }) => [String(key), success]),
    );
  const analyze = (success: boolean) =>
    Promise.all(
      [...callIds, ...callIds].map((callId) => storeAnalysis(db, { accountId, callId }, { kept: success }, success)),
    );
  await foldFigures(db);
  expect(await successes()).toEqual({ 1: 0 });
  await sql`update batches set status = 'completed', completed_at = now() where id = ${batchId}`.execute(db);
  await analyze(true);
  await analyze(false);
  expect(await successes()).toEqual({ 1: 4 });
  await figuresAreTrue(db, tenant, [batchId]);
  for (const callId of callIds) await storeAnsweredBy(db, { accountId, callId, attempt: 1 }, 'human');
  expect(await figuresOfBatch(db, accountId, batchId, 'answeredBy')).toMatchObject([
    { key: 'human', human: 4, success: 4 },
  ]);
  await figuresAreTrue(db, tenant, [batchId]);

  await sql`update batches set status = 'running', completed_at = null where id = ${batchId}`.execute(db);
  for (const callId of callIds.slice(1)) {
    await sql`update calls set analyzed_at = now() where id = ${callId}`.execute(db);
    await db.transaction().execute((tx) => callRecordAgain(tx, { accountId, batchId, callId }));
  }
  await sql`update calls set erased_at = now() where id = ${callIds[0]!}`.execute(db);
  await endAttempts(db, await queuedAttempts(db, batchId), 'answered');
  expect(await successes()).toEqual({ 1: 4, 2: 0 });
  await analyze(true);
  expect(await successes()).toEqual({ 1: 4, 2: 3 });
  await figuresAreTrue(db, tenant, [batchId]);
});

test('calls that last for hours are live in each step from their dialing to their end, also while some go on', async () => {
  const { db } = database;
  const tenant = await aTenant(db);
  const { accountId } = tenant;
  const { batchId, callIds } = await aRunningBatch(db, tenant, 6);
  const moves = [
    ['queue', 0],
    ['answer', 3],
    ['earlier', 7],
    ['answer', 2],
    ['earlier', 1],
    ['end', 4],
    ['fold', 0],
    ['dial', 1],
    ['end', 5],
  ] as const;
  for (const [move, of] of moves) {
    await make({ batch: 0, move, of, outcome: 'answered' }, accountId, batchId, callIds);
    await timelineIsTrue(db, { accountId, batchId });
  }
  await figuresAreTrue(db, tenant, [batchId]);
});

test('a deleted batch takes its figures with it, and those of its account stay', async () => {
  const { db } = database;
  const { tenant: other, batchId } = await anAnsweredBatch(3);
  await foldFigures(db);
  const before = await figuresOfAccount(db, other.accountId, everyDay, 'status');
  expect(before).toMatchObject([{ key: 'answered', calls: 3, attempts: 3, human: 1, machine: 1 }]);
  await sql`update batches set status = 'completed', completed_at = now() where id = ${batchId}`.execute(db);
  await db.transaction().execute((tx) => deleteBatch(tx, other.accountId, batchId));

  expect(await figuresOfBatch(db, other.accountId, batchId, 'status')).toEqual([]);
  expect(await figuresOfAccount(db, other.accountId, everyDay, 'status')).toEqual(before);
  const range = { from: new Date(0), until: new Date(), step: 86_400 } as const;
  expect((await timelineOf(db, { accountId: other.accountId, batchId }, range)).counts).toEqual([]);
  expect((await timelineOf(db, { accountId: other.accountId, batchId: null }, range)).counts).toMatchObject([
    { dialed: 3, ended: 3 },
  ]);
});
