import { expect, test } from 'vitest';
import { deferAttempts } from '../../db/queries/dialer/judged-attempts.js';
import { guardrailsInForce, putGuardrails } from '../../db/queries/accounts/guardrails.js';
import { defaultGuardrails, type Guardrails } from '../../domain/account/guardrails.js';
import { batchRow, queueOf, tell } from './batch-row.js';
import { aBatch, csvOf, type Tenant } from './fixtures.js';
import { endAttempts } from './play-dialer.js';
import { shareTestEnv } from './shared-env.js';
import { timeSkippingTestEnv, type TimeSkippingTestEnv } from './test-env.js';

let testEnv: TimeSkippingTestEnv;
let tenant: Tenant;
shareTestEnv(timeSkippingTestEnv, (env, account) => {
  [testEnv, tenant] = [env, account];
});

const hourMs = 3_600_000;
const everyDay = [1, 2, 3, 4, 5, 6, 7];
/** The callees' zone: +1 202 is Washington. */
const zone = 'America/New_York';

const clockIn = (timeZone: string, hours: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(
    new Date(Date.now() + hours * hourMs),
  );
/** Hours that open so many hours from now, for two hours, by the callees' clocks. */
const hoursIn = (opensIn: number, length = 2) => ({
  from: clockIn(zone, opensIn),
  until: clockIn(zone, opensIn + length).replace('00:00', '24:00'), // midnight, as the end of a window
  daysOfWeek: everyDay,
});

async function put(change: Partial<Guardrails>): Promise<void> {
  await testEnv.database.db
    .transaction()
    .execute((tx) => putGuardrails(tx, tenant.accountId, { ...defaultGuardrails, ...change }));
  await testEnv.outbox.sendDue();
}

const dueIn = async (batchId: string): Promise<number[]> =>
  (
    await testEnv.database.db
      .selectFrom('call_attempts')
      .select('due_at')
      .where('batch_id', '=', batchId)
      .where('phase', '<>', 'ended')
      .orderBy('position')
      .execute()
  ).map(({ due_at }) => Math.max(0, Math.round((due_at.getTime() - Date.now()) / hourMs)));

/** Waits until the queue has its times by the guardrails of now. */
const moved = (batchId: string) =>
  testEnv.until(async () => (await batchRow(testEnv.database, batchId)).guardrails_moving === null);

async function aRunningBatch(count: number, fields: Parameters<typeof aBatch>[3] = {}): Promise<string> {
  const batchId = await aBatch(testEnv.database.db, tenant, csvOf(count), fields);
  await testEnv.workflows.start('batchCall', batchId, { accountId: tenant.accountId, batchId });
  await queueOf(testEnv, batchId, count);
  return batchId;
}

test.each([
  ['removed', {}, 0],
  ['widened to now', { callingHours: hoursIn(-1) }, 0],
  ['moved to an earlier hour', { callingHours: hoursIn(2) }, 2],
  ['moved to a later hour', { callingHours: hoursIn(9) }, 9],
] as const)(
  'D10: calls that wait for the calling hours go by the new ones at once: %s',
  async (_how, change, hours) => {
    await put({ callingHours: hoursIn(5) });
    const batchId = await aRunningBatch(3);
    await testEnv.until(async () => (await dueIn(batchId)).every((due) => due === 5));

    await put(change);
    await moved(batchId);

    expect(await dueIn(batchId)).toEqual([hours, hours, hours]);
  },
);

test('D10: calls that wait for the next day go at once when the daily limit is raised or removed', async () => {
  for (const change of [{ maxAttemptsPerNumberPerDay: 2 }, {}]) {
    await put({ maxAttemptsPerNumberPerDay: 1 });
    const batchId = await aRunningBatch(2);
    const { revision } = await guardrailsInForce(testEnv.database.db, tenant.accountId);
    const tomorrow = new Date(Date.now() + 20 * hourMs);
    const waits = (await queueOf(testEnv, batchId, 2)).map((attempt) => ({
      ...attempt,
      ...{
        reason: 'daily_limit' as const,
        claimId: null,
        dueAt: tomorrow,
        notAfter: null,
        revision,
        hoursAsRead: null,
      },
    }));
    await deferAttempts(testEnv.database.db, waits);
    expect(await dueIn(batchId)).toEqual([20, 20]);

    await put(change);
    await moved(batchId);

    expect(await dueIn(batchId)).toEqual([0, 0]);
  }
});

test("D10: hours that are removed leave the batch's own calling window as it is", async () => {
  await put({ callingHours: hoursIn(8, 4) });
  const window = { ...hoursIn(5, 6), timezone: zone };
  const batchId = await aRunningBatch(2, { calling_window: JSON.stringify(window) });
  await testEnv.until(async () => (await dueIn(batchId)).every((due) => due === 8));

  await put({});
  await moved(batchId);

  expect(await dueIn(batchId)).toEqual([5, 5]);
  const { not_after } = await testEnv.database.db
    .selectFrom('call_attempts')
    .select('not_after')
    .where('batch_id', '=', batchId)
    .orderBy('position')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(Math.round((not_after.getTime() - Date.now()) / hourMs)).toBe(11);
});

test('D10: a retry is not made before its delay is over, and the batch dials on while its queue gets new times', async () => {
  const batchId = await aRunningBatch(1, { retry_enabled: true, retry_on: ['missed'], retry_delays_seconds: [18_000] });
  const ended = await endAttempts(
    testEnv.database.db,
    await queueOf(testEnv, batchId, 1),
    'missed',
    18_000,
    new Date(),
  );
  await tell(testEnv, ended);
  await put({ callingHours: hoursIn(-1, 20) });
  expect((await batchRow(testEnv.database, batchId)).window_moving).toBe(false);
  await moved(batchId);
  const { next_attempt_at } = await testEnv.database.db
    .selectFrom('calls')
    .select('next_attempt_at')
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  expect(Math.round((next_attempt_at!.getTime() - Date.now()) / hourMs)).toBe(5);
  expect((await dueIn(batchId)).every((due) => due === 5)).toBe(true);
});

test('D10: an attempt that was judged by earlier guardrails is not put off by them', async () => {
  await put({ callingHours: hoursIn(5) });
  const { revision } = await guardrailsInForce(testEnv.database.db, tenant.accountId);
  const batchId = await aRunningBatch(1);
  await put({});
  await moved(batchId);

  const [attempt] = await queueOf(testEnv, batchId, 1);
  const dueAt = new Date(Date.now() + 5 * hourMs);
  const wait = {
    ...attempt!,
    reason: 'guardrail_hours' as const,
    claimId: null,
    dueAt,
    notAfter: null,
    revision,
    hoursAsRead: null,
  };
  await deferAttempts(testEnv.database.db, [wait]);

  expect(await dueIn(batchId)).toEqual([0]);
});

test('D10: a change that no attempt waits for leaves the queue alone', async () => {
  const callingHours = hoursIn(5);
  await put({ callingHours });
  const batchId = await aRunningBatch(1);
  await testEnv.until(async () => (await dueIn(batchId))[0] === 5);
  await put({ callingHours, disclosure: 'This call is recorded.', allowedCountries: ['US'] });
  expect((await batchRow(testEnv.database, batchId)).guardrails_moving).toBeNull();
  expect(await dueIn(batchId)).toEqual([5]);
});
