import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { forgetOldDials, overviewOf } from '../../../db/queries/accounts/overview.js';
import { batchStatuses } from '../../../domain/batch/batch-call.js';
import { type DialerTestEnv, dialerTestEnv, numbersEndingIn, until } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

test('each INVITE is counted once for its gateway, whatever dialer sent it, and forgotten after an hour', async () => {
  testEnv = await dialerTestEnv();
  const { db } = testEnv.database;
  const [one, other] = [await testEnv.gateway(), await testEnv.gateway()];
  await testEnv.calls(one, await testEnv.batch(one), numbersEndingIn(7, 12, 100));
  await testEnv.calls(other, null, numbersEndingIn(7, 5, 500));
  await Promise.all([testEnv.dialer(), testEnv.dialer()]);
  const invites = () => testEnv.ledger().filter((line) => line.event === 'invite').length;
  await until(() => invites() === 17);

  // On a busy machine a dialer may come too late for one that it was given: it gives it back, and is given the next.
  const dialed = async () => {
    const { gateways } = await overviewOf(db, testEnv.accountId, batchStatuses);
    return Object.fromEntries(gateways.map(({ id, dialedInLastMinute }) => [id, dialedInLastMinute]));
  };
  expect(await dialed()).toEqual({ [one.id]: 12, [other.id]: 5 });
  await sql`update recent_dials set at = at - interval '61 minutes'`.execute(db);
  await forgetOldDials(db);
  expect((await sql`select * from recent_dials`.execute(db)).rows).toEqual([]);
});
