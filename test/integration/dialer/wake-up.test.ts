import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { claimAttempts, nextClaimInMs } from '../../../db/queries/dialer/claim-attempts.js';
import { startLease } from '../../../db/queries/dialer/lease.js';
import { lockWaits } from '../../setup/lock-waits.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

test('a call that is queued while its gateway is claimed from is claimed next, without waiting for the sweep', async () => {
  testEnv = await dialerTestEnv();
  const { db } = testEnv.database;
  const dialer = { id: randomUUID(), host: 'test', pid: 1 };
  await startLease(db, dialer, 60);
  const gateway = await testEnv.gateway();
  const [number = '', other = ''] = numbersEndingIn(7, 2);
  await testEnv.calls(gateway, null, [number]);
  let queued: Promise<string[]> | undefined;
  await db.transaction().execute(async (tx) => {
    expect(await claimAttempts(tx, dialer.id, 10)).toHaveLength(1);
    let isQueued = false;
    queued = testEnv.calls(gateway, null, [other]);
    void queued.finally(() => (isQueued = true));
    await until(async () => isQueued || (await lockWaits(testEnv.database.pool)) > 0);
  });
  await queued;
  expect(await nextClaimInMs(db)).toBeLessThanOrEqual(0);
  expect(await claimAttempts(db, dialer.id, 10)).toMatchObject([{ toNumber: other }]);
});
