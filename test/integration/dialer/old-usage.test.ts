import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accountUsage, foldOldUsage } from '../../../db/queries/accounts/usage.js';
import { lockWaits } from '../../setup/lock-waits.js';
import { dialerTestEnv, type DialerTestEnv } from './test-env.js';

let env: DialerTestEnv;
beforeEach(async () => {
  env = await dialerTestEnv();
});
afterEach(() => env.close());

/** A row of each of so many connections, of the account and of another one. */
async function counted(daysAgo: number, connections: number): Promise<void> {
  await sql`
    insert into usage_days (account_id, day, backend, calls, attempts, answered, talk_seconds, cost, unpriced)
    select account_id, (clock_timestamp() at time zone 'UTC')::date - ${daysAgo}::integer, backend, 1, 2, 1, 30, 50, 1
    from unnest(array[${env.accountId}, 'acc_other']) as a (account_id)
    cross join generate_series(1, ${connections}::integer) as b (backend)`.execute(env.database.db);
}
const rowsOf = async () =>
  (
    await sql<{ ago: number; rows: number; calls: number; cost: number; talk: number }>`
      select (clock_timestamp() at time zone 'UTC')::date - day as ago, count(*)::integer as rows, sum(calls)::integer as calls,
        sum(cost)::integer as cost, sum(talk_seconds)::integer as talk
      from usage_days where account_id = ${env.accountId} group by 1 order by 1`.execute(env.database.db)
  ).rows;

test('what an account has used takes a row for each day that is over, however many connections have counted it', async () => {
  const { db } = env.database;
  for (const daysAgo of [0, 1, 2, 40]) await counted(daysAgo, 30);
  await counted(3, 11_000); // more than one statement adds up
  const [now, inTwoDays] = [new Date(), new Date(Date.now() + 2 * 86_400_000)];
  const before = await Promise.all([accountUsage(db, env.accountId, now), accountUsage(db, 'acc_other', inTwoDays)]);
  await Promise.all([foldOldUsage(db), foldOldUsage(db)]);
  await foldOldUsage(db);
  const sums = { calls: 30, cost: 1_500, talk: 900 };
  expect(await rowsOf()).toEqual([
    { ago: 0, rows: 30, ...sums },
    { ago: 1, rows: 30, ...sums },
    { ago: 2, rows: 1, ...sums },
    { ago: 3, rows: 1, calls: 11_000, cost: 550_000, talk: 330_000 },
    { ago: 40, rows: 1, ...sums },
  ]);
  expect(await Promise.all([accountUsage(db, env.accountId, now), accountUsage(db, 'acc_other', inTwoDays)])).toEqual(
    before,
  );
});

test('a row of an old day that is being written waits for the next time, and keeps nothing waiting', async () => {
  const { db, pool } = env.database;
  await counted(2, 3);
  await db.transaction().execute(async (tx) => {
    await sql`update usage_days set calls = calls + 1 where account_id = ${env.accountId} and backend = 2`.execute(tx);
    await foldOldUsage(db);
    expect(await lockWaits(pool)).toBe(0);
  });
  expect(await rowsOf()).toMatchObject([{ rows: 2, calls: 4 }]);
  await foldOldUsage(db);
  expect(await rowsOf()).toMatchObject([{ rows: 1, calls: 4 }]);
});
