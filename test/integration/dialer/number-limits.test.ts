import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { wakeGateways } from '../../../db/queries/dialer/wake-gateways.js';
import { countNumbers } from '../../../db/queries/telephony/number-limits.js';
import { formatId } from '../../../domain/ids.js';
import { atRest, countedToday, fourDialers, invitedAtMs, limitNumber, ownNumber } from './limited-number.js';
import { type DialerTestEnv, dialerTestEnv, type Gateway, noonZone, numbersEndingIn, until } from './test-env.js';
import { waitingOfBatch } from './waiting-of.js';

let testEnv: DialerTestEnv;
let line: Gateway;
beforeEach(async () => {
  testEnv = await dialerTestEnv();
  line = await testEnv.gateway();
});
afterEach(() => testEnv.close());

const nextDay = async () => {
  await sql`update counted_numbers set day = day - 1`.execute(testEnv.database.db);
  await wakeGateways(testEnv.database.db, [line.id]);
};

// shows: numbers.calls_a_day
test('four dialers make exactly as many calls a day from a number as it may, over single calls and two batches', async () => {
  await limitNumber(testEnv, line, { maxCallsPerDay: 20 });
  const [one, other] = [await testEnv.batch(line), await testEnv.batch(line)];
  await testEnv.calls(line, one, numbersEndingIn(7, 15, 100));
  await testEnv.calls(line, other, numbersEndingIn(1, 15, 300));
  await testEnv.calls(line, null, numbersEndingIn(2, 5, 500));
  await fourDialers(testEnv);

  await until(async () => invitedAtMs(testEnv).length >= 20 && (await atRest(testEnv)));
  expect(invitedAtMs(testEnv)).toHaveLength(20);
  expect(await countedToday(testEnv)).toBe(20);

  await nextDay();
  await until(async () => invitedAtMs(testEnv).length >= 35 && (await atRest(testEnv)));
  expect(invitedAtMs(testEnv)).toHaveLength(35);
  expect(new Set(testEnv.ledger().flatMap(({ callId = [] }) => callId)).size).toBe(35);
});

// shows: numbers.spacing
test('four dialers leave the least time between any two calls of a number, whatever asks for them', async () => {
  await limitNumber(testEnv, line, { minSecondsBetweenCalls: 1 });
  const [one, other] = [await testEnv.batch(line), await testEnv.batch(line)];
  await testEnv.calls(line, one, numbersEndingIn(7, 3, 100));
  await testEnv.calls(line, other, numbersEndingIn(1, 2, 300));
  await testEnv.calls(line, null, numbersEndingIn(2, 2, 500));
  await fourDialers(testEnv);

  await until(() => invitedAtMs(testEnv).length === 7);
  const atMs = invitedAtMs(testEnv).sort((a, b) => a - b);
  const gapsMs = atMs.slice(1).map((ms, place) => ms - (atMs[place] ?? 0));
  expect(Math.min(...gapsMs)).toBeGreaterThanOrEqual(1_000);
});

test('a retry counts as every other call does', async () => {
  await limitNumber(testEnv, line, { maxCallsPerDay: 2 });
  const batchId = await testEnv.batch(line, { retryOn: ['rejected'], retryDelaysSeconds: [1, 1] });
  const [callId = ''] = await testEnv.calls(line, batchId, ['+15550123411']);
  await fourDialers(testEnv);
  for (const attempt of [1, 2]) {
    await until(() => testEnv.told.some(([id, number]) => id === callId && number === attempt));
    await testEnv.queue(callId, attempt + 1);
  }
  await until(() => atRest(testEnv));
  expect(invitedAtMs(testEnv)).toHaveLength(2);
});

// shows: recipients.waiting-number
test('those who wait for the number are counted as number_limit, until its next day by its own clock', async () => {
  await limitNumber(testEnv, line, { maxCallsPerDay: 2 }, 'Asia/Tokyo');
  const batchId = await testEnv.batch(line);
  await testEnv.calls(line, batchId, numbersEndingIn(7, 9, 100));
  await fourDialers(testEnv);
  await until(async () => invitedAtMs(testEnv).length >= 2 && (await atRest(testEnv)));

  const {
    counts,
    until: first,
    sentence,
    total,
    sum,
  } = await waitingOfBatch(testEnv.database.db, testEnv.accountId, batchId);
  expect(counts).toEqual({ number_limit: 7 });
  expect(sum).toBe(total);
  expect(sentence).toContain('7 wait for the number to call from, because of its limits, the first at');
  const day = new Intl.DateTimeFormat('sv', { timeZone: 'Asia/Tokyo', dateStyle: 'short', timeStyle: 'medium' });
  expect(day.format(new Date(first.number_limit ?? ''))).toMatch(/ 00:00:00$/);
  expect(new Date(first.number_limit ?? '').getTime()).toBeGreaterThan(Date.now());
});

test.each([
  ['the clocks show midnight twice', 'America/Havana', '2026-10-31T20:00:00Z', '2026-11-01T04:00:00Z'],
  ['the clocks skip midnight', 'Africa/Cairo', '2027-04-29T21:30:00Z', '2027-04-29T22:00:00Z'],
  ['the clocks go back at midnight', 'Asia/Beirut', '2026-10-24T20:30:00Z', '2026-10-24T22:00:00Z'],
])(
  'a number that has made its calls of the day waits for the first instant of the next, if %s',
  async (_which, zone, at, next) => {
    await limitNumber(testEnv, line, { maxCallsPerDay: 2 }, zone);
    await sql`update counted_numbers set calls = 2, day = (${at}::timestamptz at time zone ${zone})::date`.execute(
      testEnv.database.db,
    );
    const { rows } = await sql<{ freeAt: Date }>`
    select number_free_at(n, ${at}) as "freeAt" from counted_numbers n`.execute(testEnv.database.db);
    expect(rows).toEqual([{ freeAt: new Date(next) }]);
  },
);

test('a number that gets a limit begins with the calls that it has made today', async () => {
  const batchId = await testEnv.batch(line);
  await testEnv.calls(line, batchId, numbersEndingIn(7, 4, 100));
  const dialer = await testEnv.dialer();
  await until(() => testEnv.told.length === 4);
  await dialer.close();
  await limitNumber(testEnv, line, { maxCallsPerDay: 6 }, 'Asia/Calcutta'); // as the batch counts its days
  await testEnv.calls(line, await testEnv.batch(line), numbersEndingIn(1, 5, 300));
  await fourDialers(testEnv);
  await until(async () => invitedAtMs(testEnv).length >= 6 && (await atRest(testEnv)));
  expect(invitedAtMs(testEnv)).toHaveLength(6);
});

test('a number that a batch has counted begins with a call whose gate has not committed yet', async () => {
  await ownNumber(testEnv, line);
  const [callId = ''] = await testEnv.calls(line, null, numbersEndingIn(7, 1));
  const { db } = testEnv.database;
  const processId = uuid();
  await sql`insert into dialer_processes (id, host, pid, lease_until) values (${processId}, 'test', 1, now() + interval '1 minute')`.execute(
    db,
  );
  await sql`select claim_attempts(${processId}, 1)`.execute(db);
  await sql`update call_attempts set dial_at = clock_timestamp()`.execute(db);
  const claim = await testEnv.claimOf(callId);
  const countedInBatch = () =>
    db.transaction().execute((tx) => countNumbers(tx, testEnv.accountId, [line.e164], () => noonZone()));
  let counting: Promise<void> | undefined;
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ passed: boolean }>`
      select passed from gate_attempts(${processId}, array[${callId}]::uuid[], array[1]::smallint[], array[1]::smallint[],
        array['room'], array[0]::bigint[], array[null]::timestamptz[], array[${claim}]::uuid[], array[null]::text[],
        array[5000]::float8[], array[${line.e164}])`.execute(tx);
    expect(rows).toEqual([{ passed: true }]);
    counting = countedInBatch();
    await until(async () => {
      const waiting = await sql`select 1 from pg_locks where locktype = 'advisory' and not granted`.execute(db);
      return waiting.rows.length > 0 || (await countedToday(testEnv)) !== undefined;
    });
  });
  await counting;
  expect(await countedToday(testEnv)).toBe(1);
});

test('other numbers are called from while one waits', async () => {
  await limitNumber(testEnv, line, { maxCallsPerDay: 1 });
  const e164 = '+15550109999';
  await testEnv.database.db
    .insertInto('phone_numbers')
    .values({ id: formatId('number', uuid()), account_id: testEnv.accountId, e164, name: 'Other' })
    .execute();
  await testEnv.calls(line, null, numbersEndingIn(7, 5, 100));
  await testEnv.calls(line, await testEnv.batch(line), numbersEndingIn(7, 5, 200));
  const other = { ...line, e164 };
  await testEnv.calls(other, null, numbersEndingIn(7, 5, 300));
  await testEnv.calls(other, await testEnv.batch(other), numbersEndingIn(7, 5, 400));
  await fourDialers(testEnv);
  await until(async () => invitedAtMs(testEnv).length >= 11 && (await atRest(testEnv)));
  expect(invitedAtMs(testEnv)).toHaveLength(11);
});
