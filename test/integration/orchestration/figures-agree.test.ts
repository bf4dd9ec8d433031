import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../db/client.js';
import { callDetailBody } from '../../../api/calls/bodies.js';
import { callRecordAgain } from '../../../db/queries/batches/call-again.js';
import { planCallback } from '../../../db/queries/batches/callback.js';
import { skipRecord } from '../../../db/queries/batches/skip-record.js';
import { storeAnalysis } from '../../../db/queries/calls/analyses.js';
import { findCall } from '../../../db/queries/calls/calls.js';
import { storeAnsweredBy } from '../../../db/queries/calls/conversation.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { figuresOfBatch } from '../../../db/queries/figures/figures.js';
import { findBatchStats } from '../../../db/queries/batches/batches.js';
import { paceOf } from '../../../db/queries/batches/pace.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant } from '../../workflow/fixtures.js';
import { endAttempts, moveTo, queuedAttempts } from '../../workflow/play-dialer.js';
import { everyFigureIsTrue } from './every-figure.js';
import { aRunningBatch } from './running-batch.js';

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

async function aQueuedBatch(count: number) {
  const { db } = database;
  const tenant = await aTenant(db);
  const { accountId } = tenant;
  const { batchId, callIds } = await aRunningBatch(db, tenant, count);
  const queue = (attempt: number) =>
    queueAttempts(
      db,
      { accountId, batchId, attempts: callIds.map((callId) => [callId, attempt] as const) },
      new Date(),
    );
  await queue(1);
  const tx = <T>(run: Parameters<ReturnType<typeof db.transaction>['execute']>[0]) =>
    db.transaction().execute(run) as Promise<T>;
  return {
    ...{ db, tenant, accountId, batchId, callIds, queue, tx },
    isTrue: () => everyFigureIsTrue(db, accountId, [batchId]),
  };
}

test('a recipient that was skipped undialed and is called after all counts as one call, not as two', async () => {
  const { db, accountId, batchId, callIds, tx, isTrue } = await aQueuedBatch(2);
  for (const callId of callIds) await tx((trx) => skipRecord(trx, accountId, batchId, callId));
  await isTrue();
  for (const callId of callIds) await tx((trx) => callRecordAgain(trx, { accountId, batchId, callId }));
  expect(await figuresOfBatch(db, accountId, batchId, 'status')).toEqual([]);
  await endAttempts(db, await queuedAttempts(db, batchId), 'missed');
  expect(await figuresOfBatch(db, accountId, batchId, 'status')).toMatchObject([{ key: 'missed', calls: 2 }]);
  await isTrue();
});

test('who answered a call and what it achieved count for the number that made it, also if another number has called since', async () => {
  const { db, tenant, accountId, batchId, callIds, queue, tx, isTrue } = await aQueuedBatch(2);
  const [early = '', late = ''] = callIds;
  const other = '+12025550111';
  const callFrom = async (number: string): Promise<void> => {
    await sql`update call_attempts set caller = ${number} where batch_id = ${batchId} and phase = 'queued'`.execute(db);
    const queued = await queuedAttempts(db, batchId);
    await moveTo(db, queued, 'dialing');
    // As the gate does.
    await sql`update calls set from_number = ${number} where batch_id = ${batchId} and status = 'dialing'`.execute(db);
  };
  const end = () =>
    endAttempts(
      db,
      callIds.map((callId) => ({ callId, attempt: 0, to: '', batchId, position: 0 })),
      'answered',
    );
  await callFrom(tenant.number);
  await end();
  const achieve = (callId: string) => storeAnalysis(db, { accountId, callId }, {}, true);
  await achieve(early);
  for (const callId of callIds) {
    await tx((trx) => planCallback(trx, { accountId, batchId, callId }, new Date(), new Date()));
  }
  await queue(2);
  await callFrom(other);
  // What the first conversation achieved is found out while the second one is dialed, whose INVITE is never sent.
  await achieve(late);
  await sql`
    with back as (update call_attempts set phase = 'queued', claimed_by = null where call_id = ${late} and number = 2)
    update calls set status = 'retrying' where id = ${late}`.execute(db);
  await tx((trx) => skipRecord(trx, accountId, batchId, late));
  await storeAnsweredBy(db, { accountId, callId: late, attempt: 1 }, 'human');
  await end();
  const figures = await figuresOfBatch(db, accountId, batchId, 'phoneNumber');
  const of = (number: string) => figures.find(({ key }) => key === number);
  expect(of(tenant.number)).toMatchObject({ attempts: 2, answered: 2, human: 2, success: 2 });
  expect(of(other)).toMatchObject({ attempts: 1, answered: 1, success: 0 });
  await isTrue();
});

test('a call that is promised names who answered it before, and no one while it is dialed again', async () => {
  const { db, accountId, batchId, callIds, queue, tx } = await aQueuedBatch(1);
  const [callId = ''] = callIds;
  const shown = async () => {
    const found = await findCall(db, accountId, callId);
    if (found === null) throw new Error('The call is gone.');
    const { status, answeredBy } = callDetailBody(found, 'https://service.test');
    return { status, answeredBy };
  };
  await moveTo(db, await queuedAttempts(db, batchId), 'answered');
  await storeAnsweredBy(db, { accountId, callId, attempt: 1 }, 'human');
  expect(await shown()).toEqual({ status: 'answered', answeredBy: 'human' });
  await endAttempts(db, [{ callId, attempt: 1, to: '', batchId, position: 0 }], 'answered');
  await tx((trx) => planCallback(trx, { accountId, batchId, callId }, new Date(), new Date()));
  expect(await shown()).toEqual({ status: 'ended', answeredBy: 'human' });
  await queue(2);
  await moveTo(db, await queuedAttempts(db, batchId), 'dialing');
  expect(await shown()).toEqual({ status: 'initiated', answeredBy: undefined });
});

test('an export names no last attempt of a recipient whose INVITE was let out and never sent', async () => {
  const { db, batchId, isTrue } = await aQueuedBatch(2);
  await moveTo(db, await queuedAttempts(db, batchId), 'dialing');
  await sql`
    with back as (update call_attempts set phase = 'queued', claimed_by = null where batch_id = ${batchId})
    update calls set status = 'pending' where batch_id = ${batchId}`.execute(db);
  await isTrue();
});

test('usage, the average of answered calls, and estimates that follow from it, have nothing of calls that no agent took', async () => {
  const { db, tenant, accountId, batchId, tx, isTrue } = await aQueuedBatch(4);
  const [one, retried, ...others] = await queuedAttempts(db, batchId);
  if (one === undefined || retried === undefined) throw new Error('Nothing is queued.');
  await moveTo(db, [one, retried, ...others], 'answered');
  const ago = (calls: readonly { readonly callId: string }[], seconds: number) =>
    sql`
      update call_attempts set dialed_at = now() - interval '1 hour', answered_at = now() - make_interval(secs => ${seconds})
      where call_id = any (${calls.map(({ callId }) => callId)}::uuid[])`.execute(db);
  await ago([one], 60);
  await ago([retried, ...others], 30);
  await endAttempts(db, [one], 'answered');
  await endAttempts(db, others, 'abandoned');
  await endAttempts(db, [retried], 'abandoned', 60);
  const stats = await findBatchStats(db, accountId, batchId);
  expect(stats).toMatchObject({ answered: 1, abandoned: 2 });
  const [answered] = await figuresOfBatch(db, accountId, batchId, 'status').then((rows) =>
    rows.filter(({ key }) => key === 'answered'),
  );
  expect(stats?.talkSeconds).toBeCloseTo(answered?.talkSeconds ?? 0, 2);
  await isTrue();
  for (const { callId } of others) await tx((trx) => callRecordAgain(trx, { accountId, batchId, callId }));
  await isTrue();
  await sql`update batches set status = 'completed', completed_at = now() where id = ${batchId}`.execute(db);
  const { talkSeconds } = await paceOf(db, accountId, tenant);
  expect(talkSeconds).toBeCloseTo(answered?.talkSeconds ?? 0, 2);
});
