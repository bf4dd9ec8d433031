import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { callRecordAgain } from '../../../db/queries/batches/call-again.js';
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
