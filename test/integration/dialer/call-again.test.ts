import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import type { Db } from '../../../db/client.js';
import { callRecordAgain } from '../../../db/queries/batches/call-again.js';
import { planCallback } from '../../../db/queries/batches/callback.js';
import { skipRecord } from '../../../db/queries/batches/skip-record.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { wakeGateways } from '../../../db/queries/dialer/wake-gateways.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

const db = () => testEnv.database.db;
const invitesOf = (id: string) =>
  testEnv.ledger().filter(({ event, callId }) => event === 'invite' && callId === id).length;

// shows: recipients.again
test('those who are called again, each by several requests at once, are dialed once more, and no retry of the plan follows', async () => {
  testEnv = await dialerTestEnv({ speed: 50 });
  const gateway = await testEnv.gateway();
  const batchId = await testEnv.batch(gateway);
  // Some answer, others do not.
  const numbers = [7, 1, 2, 3].flatMap((digit) => numbersEndingIn(digit, 3));
  const ids = await testEnv.calls(gateway, batchId, numbers);
  await testEnv.dialer();
  await testEnv.dialer();
  const row = (id: string) =>
    db()
      .selectFrom('calls')
      .select(['settled', 'status', 'attempts_made'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const settled = async (id: string) => (await row(id)).settled;
  // The test plays the workflows: retries that were planned are queued.
  const played = new Set<string>();
  const playAll = async () => {
    for (const [callId, attempt, next] of testEnv.told) {
      const key = `${callId} ${attempt}`;
      if (next === null || played.has(key)) continue;
      played.add(key);
      await testEnv.queue(callId, attempt + 1, new Date(next));
    }
    return (await Promise.all(ids.map(settled))).every(Boolean);
  };
  await until(playAll);
  const failed = await db()
    .selectFrom('calls')
    .select('id')
    .where('id', 'in', ids)
    .where('status', '<>', 'answered')
    .execute();
  expect(failed.length).toBeGreaterThan(0);
  // By this plan a second attempt that fails would be followed by a third.
  await sql`update batches set retry_enabled = true, retry_delays_seconds = '{1,1,1}',
    retry_on = '{rejected,not-answered,missed,failed,abandoned}' where id = ${batchId}`.execute(db());
  const before = new Map(ids.map((id) => [id, invitesOf(id)]));
  const made = new Map(await Promise.all(ids.map(async (id) => [id, (await row(id)).attempts_made] as const)));
  const { accountId } = testEnv;
  for (const callId of ids) {
    const again = () =>
      db()
        .transaction()
        .execute((tx) => callRecordAgain(tx, { accountId, batchId, callId }));
    const outcomes = (await Promise.all([again(), again(), again()])).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'queued').length).toBeGreaterThanOrEqual(1);
    if (outcomes.filter((outcome) => outcome === 'queued').length > 1) throw new Error('two attempts of one moment');
  }
  await wakeGateways(db(), [gateway.id]);
  await until(playAll);
  for (const id of ids) {
    expect({ id, invites: invitesOf(id), made: (await row(id)).attempts_made }).toEqual({
      ...{ id, invites: (before.get(id) ?? 0) + 1, made: (made.get(id) ?? 0) + 1 },
    });
  }
});

test('recipients that are skipped after the carrier has refused an INVITE, and then are called after all, get the next INVITE', async () => {
  testEnv = await dialerTestEnv({ speed: 50 });
  const { accountId } = testEnv;
  const gateway = await testEnv.gateway();
  const batchId = await testEnv.batch(gateway);
  const ids = await testEnv.calls(gateway, batchId, numbersEndingIn(7, 3));
  const ofEach = async (ask: (tx: Db, callId: string) => Promise<{ readonly outcome: string }>, outcome: string) => {
    for (const id of ids) {
      expect(
        (
          await db()
            .transaction()
            .execute((tx) => ask(tx, id))
        ).outcome,
      ).toBe(outcome);
    }
  };
  const skip = (tx: Db, callId: string) => skipRecord(tx, accountId, batchId, callId);
  const again = (tx: Db, callId: string) => callRecordAgain(tx, { accountId, batchId, callId });
  const callBack = (tx: Db, callId: string) => planCallback(tx, { accountId, batchId, callId }, new Date(), new Date());
  /** As the end of an INVITE leaves them that was answered 503. */
  const refuse = () => sql`update call_attempts set invite = invite + 1 where phase = 'queued'`.execute(db());
  /** Plays the workflows. */
  const queueSecond = () =>
    queueAttempts(db(), { accountId, batchId, attempts: ids.map((id) => [id, 2] as const) }, new Date());
  const attemptsMade = (made: number) => async () => {
    const calls = await db().selectFrom('calls').select(['settled', 'attempts_made']).where('id', 'in', ids).execute();
    return calls.every((call) => call.settled && call.attempts_made === made);
  };

  await refuse();
  await ofEach(skip, 'skipped');
  await ofEach(again, 'queued');
  // A second skip forgets nothing of the first.
  await ofEach(skip, 'skipped');
  await ofEach(again, 'queued');
  const first = await testEnv.dialer();
  await until(attemptsMade(1));
  await first.close();

  await ofEach(callBack, 'planned');
  await queueSecond();
  await refuse();
  await refuse();
  await ofEach(skip, 'skipped');
  await ofEach(callBack, 'planned');
  await queueSecond();
  await testEnv.dialer();
  await until(attemptsMade(2));

  const sent = testEnv.ledger().filter(({ event }) => event === 'invite');
  for (const id of ids) {
    const own = sent.filter(({ callId }) => callId === id);
    expect(own.map(({ attempt }) => attempt)).toEqual([1, 2]);
    // A busy machine may not send one that the gate let through, which then gets the next.
    expect(own[0]?.invite).toBeGreaterThanOrEqual(2);
    expect(own[1]?.invite).toBeGreaterThanOrEqual(3);
  }
});
