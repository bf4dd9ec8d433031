import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { planCallback } from '../../../db/queries/batches/callback.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { wakeGateways } from '../../../db/queries/dialer/wake-gateways.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

const db = () => testEnv.database.db;
const invitesOf = (id: string) => testEnv.ledger().filter(({ event, callId }) => event === 'invite' && callId === id);
const row = (id: string) =>
  db()
    .selectFrom('calls')
    .select(['settled', 'status', 'attempts_made', 'callbacks', 'talk_seconds'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** Plays the workflows, which put the next attempts in the queue, however often they are told to. */
async function queuePlanned(batchId: string, ids: readonly string[]): Promise<void> {
  const attempts = ids.map((id) => [id, 2] as const);
  await queueAttempts(db(), { accountId: testEnv.accountId, batchId, attempts }, new Date());
}

async function used() {
  const { rows } = await sql<{ answered: string; talked: number }>`
    select sum(answered) as answered, sum(talk_seconds) as talked from usage_days`.execute(db());
  return { answered: Number(rows[0]?.answered), talked: Number(rows[0]?.talked) };
}

// shows: recipients.callback
test('callees who are promised a call while they speak are called once more, not before that time, however often it is promised', async () => {
  testEnv = await dialerTestEnv({ speed: 20 });
  const gateway = await testEnv.gateway();
  const batchId = await testEnv.batch(gateway);
  const ids = await testEnv.calls(gateway, batchId, numbersEndingIn(0, 6));
  await testEnv.dialer();
  await testEnv.dialer();
  const { accountId } = testEnv;
  const promise = (callId: string, at: Date) =>
    db()
      .transaction()
      .execute(async (tx) => (await planCallback(tx, { accountId, batchId, callId }, at, new Date())).outcome);
  const inAnHour = new Date(Date.now() + 3_600_000);
  for (const id of ids) {
    // As soon as the call is live, by three at once
    await until(async () => (await promise(id, inAnHour)) === 'planned');
    expect(await Promise.all([promise(id, inAnHour), promise(id, inAnHour)])).toEqual(['planned', 'planned']);
  }
  await until(async () => (await Promise.all(ids.map(row))).every(({ status }) => status === 'retrying'));
  // Half of them are in the queue when they are promised another time.
  await queuePlanned(batchId, ids.slice(0, 3));
  const at = new Date(Date.now() + 2_000);
  for (const id of ids) expect(await promise(id, at)).toBe('planned');
  await queuePlanned(batchId, ids);
  await wakeGateways(db(), [gateway.id]);

  await until(async () => (await Promise.all(ids.map(row))).every(({ settled }) => settled));
  for (const id of ids) {
    expect({ id, ...(await row(id)) }).toMatchObject({ id, status: 'answered', attempts_made: 2, callbacks: 1 });
    const [first, second, ...more] = invitesOf(id);
    expect(more).toEqual([]);
    expect(Date.parse(first?.at ?? '')).toBeLessThan(at.getTime());
    expect(Date.parse(second?.at ?? '')).toBeGreaterThanOrEqual(at.getTime());
  }
  // Both conversations of each count among what the account has used.
  const { rows } = await sql<{ talked: number }>`
    select sum(extract(epoch from ended_at - answered_at)) as talked from call_attempts`.execute(db());
  const { answered, talked } = await used();
  expect(answered).toBe(12);
  expect(talked).toBeCloseTo(Number(rows[0]?.talked), 1);
});

test('a promise for a recipient whose attempt has gone back to the queue undialed can be made again, and moves', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const batchId = await testEnv.batch(gateway);
  const [id = ''] = await testEnv.calls(gateway, batchId, numbersEndingIn(0, 1));
  const { accountId } = testEnv;
  const promise = (at: Date) =>
    db()
      .transaction()
      .execute(async (tx) => (await planCallback(tx, { accountId, batchId, callId: id }, at, new Date())).outcome);
  const [first, moved] = [new Date('2040-01-01T10:00:00Z'), new Date('2040-01-01T11:00:00Z')];
  expect(await promise(first)).toBe('never_called');
  await sql`update call_attempts set phase = 'dialing', claimed_by = gen_random_uuid() where call_id = ${id}`.execute(
    db(),
  );
  expect(await promise(first)).toBe('planned');
  await sql`update call_attempts set phase = 'queued', claimed_by = null where call_id = ${id}`.execute(db());
  expect(await promise(moved)).toBe('planned');
  const columns = ['attempts_made', 'callback_at', 'callback_attempt', 'callbacks'] as const;
  expect(await db().selectFrom('calls').select(columns).where('id', '=', id).executeTakeFirstOrThrow()).toEqual({
    ...{ attempts_made: 0, callback_at: moved, callback_attempt: 2, callbacks: 1 },
  });
});
