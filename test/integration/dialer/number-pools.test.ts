import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { claimAttempts } from '../../../db/queries/dialer/claim-attempts.js';
import { startLease } from '../../../db/queries/dialer/lease.js';
import { setNumberLimits } from '../../../db/queries/telephony/number-limits.js';
import { formatId } from '../../../domain/ids.js';
import { lockWaits } from '../../setup/lock-waits.js';
import { atRest, fourDialers } from './limited-number.js';
import { type DialerTestEnv, dialerTestEnv, type Gateway, noonZone, numbersEndingIn, until } from './test-env.js';
import { waitingOfBatch } from './waiting-of.js';

let testEnv: DialerTestEnv;
let line: Gateway;
beforeEach(async () => {
  testEnv = await dialerTestEnv();
  line = await testEnv.gateway();
});
afterEach(() => testEnv.close());

type Limits = Parameters<typeof setNumberLimits>[3];

/** A batch that calls from these numbers. */
async function pool(
  numbers: Readonly<Record<string, Limits>>,
  { onRetry = 'same', retries = 0 }: { onRetry?: 'same' | 'other'; retries?: number } = {},
): Promise<string> {
  const { db } = testEnv.database;
  const { accountId } = testEnv;
  for (const [e164, limits] of Object.entries(numbers)) {
    const id = formatId('number', uuid());
    await db.insertInto('phone_numbers').values({ id, account_id: accountId, e164, name: 'Line' }).execute();
    await db
      .insertInto('number_gateways')
      .values({ number_id: id, direction: 'outbound', gateway_id: line.id, account_id: accountId, e164 })
      .execute();
    await db.transaction().execute((tx) => setNumberLimits(tx, accountId, { id, e164 }, limits, noonZone()));
  }
  const [first = ''] = Object.keys(numbers);
  const retry = { retryOn: ['rejected'], retryDelaysSeconds: Array.from({ length: retries }, () => 1) };
  const batchId = await testEnv.batch({ ...line, e164: first }, retries === 0 ? {} : retry);
  await db
    .updateTable('batches')
    .set({ phone_numbers: Object.keys(numbers), number_on_retry: onRetry })
    .where('id', '=', batchId)
    .execute();
  return batchId;
}

/** Calls of the batch, put in the queue as its workflow does. */
async function calls(batchId: string, numbers: readonly string[]): Promise<string[]> {
  const { db } = testEnv.database;
  const batch = await db.selectFrom('batches').selectAll().where('id', '=', batchId).executeTakeFirstOrThrow();
  const ids = numbers.map(() => uuid());
  await db
    .insertInto('calls')
    .values(
      numbers.map((to_number, position) => ({
        ...{ id: ids[position] ?? '', account_id: testEnv.accountId, batch_id: batchId, position, to_number },
        ...{ from_number: batch.from_number, rule_id: line.ruleId, gateway_id: line.id, agent_id: batch.agent_id },
      })),
    )
    .execute();
  await db
    .updateTable('batch_counters')
    .set((eb) => ({ pending: eb('pending', '+', ids.length) }))
    .where('batch_id', '=', batchId)
    .execute();
  await queue(batchId, ids, 1);
  return ids;
}

const queue = (batchId: string, ids: readonly string[], attempt: number) =>
  queueAttempts(
    testEnv.database.db,
    { accountId: testEnv.accountId, batchId, attempts: ids.map((id) => [id, attempt] as const) },
    new Date(),
  );

const invites = () => testEnv.ledger().filter(({ event }) => event === 'invite');
const invitesByNumber = () => {
  const counts: Record<string, number> = {};
  for (const { from = '' } of invites()) counts[from] = (counts[from] ?? 0) + 1;
  return counts;
};

// shows: numbers.nearest
test('each callee is called from the nearest number: same country, then the same area code', async () => {
  const batchId = await pool({ '+442079460958': {}, '+12125550100': {}, '+14155550100': {}, '+16045550100': {} });
  await calls(batchId, ['+14155550127', '+12125550127', '+13105550127', '+442079460117', '+14165550127']);
  await testEnv.dialer();
  await until(() => invites().length === 5);
  const from: Readonly<Record<string, string | undefined>> = Object.fromEntries(
    invites().map(({ to = '', from: own }) => [to, own]),
  );
  expect(from).toMatchObject({
    '+14155550127': '+14155550100',
    '+12125550127': '+12125550100',
    '+442079460117': '+442079460958',
    '+14165550127': '+16045550100',
  });
  expect(['+12125550100', '+14155550100']).toContain(from['+13105550127']);
});

// shows: numbers.least-used
test('equally near numbers are used equally, and the records, attempts and figures say which', async () => {
  const numbers = ['+12125550101', '+12125550102', '+12125550103'];
  const batchId = await pool({ '+12125550101': {}, '+12125550102': {}, '+12125550103': {} });
  await calls(batchId, numbersEndingIn(7, 30, 100));
  await fourDialers(testEnv);
  await until(() => testEnv.told.length === 30);
  expect(invitesByNumber()).toEqual(Object.fromEntries(numbers.map((number) => [number, 10])));

  const { db } = testEnv.database;
  const sent: Readonly<Record<string, string | undefined>> = Object.fromEntries(
    invites().map(({ callId = '', from }) => [callId, from]),
  );
  const stored = await db
    .selectFrom('calls')
    .innerJoin('call_attempts', 'call_attempts.call_id', 'calls.id')
    .select(['calls.id', 'calls.from_number', 'call_attempts.caller'])
    .execute();
  for (const { id, from_number, caller } of stored) expect([from_number, caller]).toEqual([sent[id], sent[id]]);
  const { rows } = await sql<{ phone_number: string; attempts: string }>`
    select phone_number, sum(attempts) as attempts from (
      select phone_number, attempts from figure_changes
      union all select key, attempts from figures where dimension = 'phoneNumber' and batch_id = ''
    ) f group by 1 order by 1`.execute(db);
  expect(rows).toEqual(numbers.map((phone_number) => ({ phone_number, attempts: '10' })));
});

test('with four dialers no number of a pool breaks its limit, and all of them together make what they may', async () => {
  const batchId = await pool({ '+12125550101': { maxCallsPerDay: 7 }, '+12125550102': { maxCallsPerDay: 4 } });
  await calls(batchId, numbersEndingIn(7, 20, 100));
  await fourDialers(testEnv);
  await until(async () => invites().length >= 11 && (await atRest(testEnv)));
  expect(invitesByNumber()).toEqual({ '+12125550101': 7, '+12125550102': 4 });
  const { counts } = await waitingOfBatch(testEnv.database.db, testEnv.accountId, batchId);
  expect(counts).toEqual({ number_limit: 9 });
});

async function retried(onRetry: 'same' | 'other'): Promise<(string | undefined)[]> {
  const batchId = await pool({ '+12125550101': {}, '+12125550102': {} }, { onRetry, retries: 1 });
  const [callId = ''] = await calls(batchId, ['+15550123411']);
  await fourDialers(testEnv);
  await until(() => testEnv.told.length === 1);
  await queue(batchId, [callId], 2);
  await until(() => invites().length === 2);
  return invites().map(({ from }) => from);
}

test('a retry that its number may not make yet is said to wait for the number, until that may call in an hour', async () => {
  const numbers = { '+12125550101': { minSecondsBetweenCalls: 3_600 }, '+12125550102': {} };
  const batchId = await pool(numbers, { retries: 1 });
  const [callId = ''] = await calls(batchId, ['+15550123411']);
  await testEnv.dialer();
  await until(() => testEnv.told.length === 1);
  await queue(batchId, [callId], 2);
  const { db } = testEnv.database;
  const waiting = () => waitingOfBatch(db, testEnv.accountId, batchId);
  await until(async () => (await waiting()).counts.number_limit === 1);
  const { due_at: freeAt } = await db
    .selectFrom('call_attempts')
    .select('due_at')
    .where('number', '=', 2)
    .executeTakeFirstOrThrow();
  expect((await waiting()).until.number_limit).toBe(freeAt.toISOString());
  expect(invites()).toHaveLength(1);
});

// shows: numbers.on-retry
test('a retry goes by the number of the try before, with same', async () => {
  expect(new Set(await retried('same')).size).toBe(1);
});

test('a retry goes by the number that the callee was called from least, with other', async () => {
  expect(new Set(await retried('other')).size).toBe(2);
});

test('a dialer of an earlier version, which knows only the number of the call, lets nothing out from another', async () => {
  const batchId = await pool({ '+12125550101': { maxCallsPerDay: 1 }, '+12125550102': {} });
  await calls(batchId, ['+15550123417']);
  const processId = uuid();
  const { db } = testEnv.database;
  await sql`insert into dialer_processes (id, host, pid, lease_until) values (${processId}, 'test', 1, now() + interval '1 minute')`.execute(
    db,
  );
  await sql`update counted_numbers set calls = 1 where e164 = '+12125550101'`.execute(db);
  const { rows } = await sql<{ call: string; claim: string }>`
    select claimed_call_id as call, claimed_claim_id as claim from claim_attempts(${processId}, 5)`.execute(db);
  const [claimed] = rows;
  await sql`update call_attempts set dial_at = clock_timestamp()`.execute(db);
  const gate = async (callers: readonly string[] | null) =>
    (
      await sql<{ passed: boolean; refusal: string | null }>`
        select passed, refusal from gate_attempts(${processId}, array[${claimed?.call}]::uuid[], array[1]::smallint[],
          array[1]::smallint[], array['room'], array[0]::bigint[], array[null]::timestamptz[], array[${claimed?.claim}]::uuid[],
          array[null]::text[], array[5000]::float8[], ${callers}::text[])`.execute(db)
    ).rows[0];
  expect(await gate(null)).toMatchObject({ passed: false, refusal: 'held' });
  expect(await gate(['+12125550102'])).toMatchObject({ passed: true });
});

test('a call that a claim puts off while the limits of its number are changed is looked at again by the new ones', async () => {
  const { db } = testEnv.database;
  const { accountId } = testEnv;
  const e164 = '+12125550101';
  const batchId = await pool({ [e164]: { minSecondsBetweenCalls: 7_200 }, '+12125550102': {} });
  // It has just been called from the number, and is to be called from it again.
  await calls(batchId, numbersEndingIn(7, 1));
  await sql`update calls set attempts_made = 1, from_number = ${e164}`.execute(db);
  await sql`update call_attempts set number = 2`.execute(db);
  await sql`update counted_numbers set last_call_by = now() where e164 = ${e164}`.execute(db);
  const dialer = { id: randomUUID(), host: 'test', pid: 1 };
  await startLease(db, dialer, 60);
  const numbers = db.selectFrom('phone_numbers').select('id').where('e164', '=', e164);
  const { id } = await numbers.executeTakeFirstOrThrow();
  let changed: Promise<void> | undefined;
  await db.transaction().execute(async (tx) => {
    expect(await claimAttempts(tx, dialer.id, 10)).toEqual([]);
    let isChanged = false;
    const limits = { minSecondsBetweenCalls: null };
    changed = db
      .transaction()
      .execute((other) => setNumberLimits(other, accountId, { id, e164 }, limits, noonZone()))
      .finally(() => (isChanged = true));
    await until(async () => isChanged || (await lockWaits(testEnv.database.pool)) > 0);
  });
  await changed;
  const { rows } = await sql<{ later: boolean }>`
    select due_at > clock_timestamp() + interval '1 hour' as later from call_attempts`.execute(db);
  expect(rows).toEqual([{ later: true }]);
  const batch = await db.selectFrom('batches').select('window_moving').executeTakeFirstOrThrow();
  expect(batch).toEqual({ window_moving: true });
});
