import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../db/client.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { createEligibilityCheck, type Candidate } from '../../../dialer/eligibility.js';
import { sweepQueue } from '../../../dialer/queue-sweep.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant, type Tenant } from '../../workflow/fixtures.js';
import { aRunningBatch } from '../orchestration/running-batch.js';

/** A call of one account whose hours cannot be worked out, and calls of another account beside it. */

let own: TestDatabase;
let database: Database;
let damaged: Tenant;
let fine: Tenant;
beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 5, name: 'test' });
  [damaged, fine] = [await aTenant(database.db), await aTenant(database.db)];
});
afterAll(async () => {
  await database.close();
  await own.close();
});

const always = { from: '00:00', until: '24:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7] };

async function aWaitingCall(tenant: Tenant, timezone: string): Promise<string> {
  const { db, pool } = database;
  const { batchId, callIds } = await aRunningBatch(db, tenant, 1, {
    calling_window: JSON.stringify({ ...always, timezone: 'UTC' }),
  });
  await queueAttempts(db, { accountId: tenant.accountId, batchId, attempts: [[callIds[0]!, 1]] }, new Date());
  // As a machine sees it whose time zones are older than those of the machine that took the batch.
  await pool.query(`update batches set calling_window = $2 where id = $1`, [
    batchId,
    JSON.stringify({ ...always, timezone }),
  ]);
  await pool.query("update call_attempts set not_after = clock_timestamp() - interval '1 hour' where batch_id = $1", [
    batchId,
  ]);
  return callIds[0]!;
}

test('a window in a zone that this machine does not know holds up the sweep of no other account, and stays shut', async () => {
  const { db, pool } = database;
  const [unknown, known] = [await aWaitingCall(damaged, 'Mars/Base'), await aWaitingCall(fine, 'UTC')];
  const { unjudged } = await sweepQueue(db, new Date());
  expect(unjudged).toMatchObject([{ attempt: { callId: unknown }, error: expect.any(RangeError) }]);
  const { rows } = await pool.query<{ open: boolean; ever: boolean; waits: boolean }>(
    `select due_at <= clock_timestamp() and not_after > clock_timestamp() as open, due_at < not_after as ever,
       due_at > clock_timestamp() + interval '5 minutes' as waits
     from call_attempts where call_id = any ($1) order by call_id = $2`,
    [[unknown, known], unknown],
  );
  expect(rows).toEqual([
    { open: true, ever: true, waits: false },
    { open: false, ever: false, waits: true },
  ]);
  expect((await sweepQueue(db, new Date())).unjudged).toEqual([]);
});

test('a number whose hours cannot be worked out waits by itself: the rest of its claim is judged', async () => {
  const { db } = database;
  for (const { accountId } of [damaged, fine]) {
    const calling_hours = JSON.stringify(always);
    await db.insertInto('guardrails').values({ account_id: accountId, calling_hours, revision: 1 }).execute();
  }
  const now = new Date();
  const unjudged: string[] = [];
  const judge = createEligibilityCheck(
    db,
    (e164) => {
      if (e164.endsWith('13')) throw new RangeError('no such zone');
      return ['UTC'];
    },
    (attempt, error) => unjudged.push(`${attempt.callId} ${String(error)}`),
  );
  const candidates: Candidate[] = [];
  for (const [tenant, count] of [
    [damaged, 5],
    [fine, 2],
  ] as const) {
    const { callIds } = await aRunningBatch(db, tenant, count);
    const { accountId, number: fromNumber } = tenant;
    candidates.push(
      ...callIds.map((callId, at) => ({
        ...{ callId, attempt: 1, accountId, fromNumber },
        toNumber: tenant === damaged && at === 3 ? '+12025550113' : `+1202555012${at}`,
      })),
    );
  }
  const kinds = (await judge(candidates, now)).map(({ kind }) => kind);
  expect(unjudged).toEqual([`${candidates[3]!.callId} RangeError: no such zone`]);
  expect(kinds).toEqual(['dial', 'dial', 'dial', 'wait', 'dial', 'dial', 'dial']);
});

test('an expired call that PostgreSQL refuses to end holds up the end of no other', async () => {
  const { db, pool } = database;
  const expired: string[] = [];
  for (const tenant of [fine, damaged, fine]) {
    const { batchId, callIds } = await aRunningBatch(db, tenant, 1);
    const [callId = ''] = callIds;
    await queueAttempts(db, { accountId: tenant.accountId, batchId, attempts: [[callId, 1]] }, new Date());
    await pool.query(
      "update call_attempts set expires_at = clock_timestamp() - interval '1 minute' where call_id = $1",
      [callId],
    );
    expired.push(callId);
  }
  const [first, refused, last] = expired;
  await pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin
      raise exception 'what it holds is refused' using errcode = 'data_exception'; end $$;
    create trigger refuse before update on calls for each row when (new.id = '${refused}') execute function refuse()`);
  const { reports, unsettled } = await sweepQueue(db, new Date());
  expect(reports.map(({ callId, reason }) => [callId, reason])).toEqual([
    [first, 'expired'],
    [last, 'expired'],
  ]);
  expect(unsettled.map(({ attempt }) => attempt.callId)).toEqual([refused]);
});
