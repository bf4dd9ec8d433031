import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { putGuardrails } from '../../../db/queries/accounts/guardrails.js';
import { defaultGuardrails, type Guardrails } from '../../../domain/account/guardrails.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

const db = () => testEnv.database.db;
const invites = () => testEnv.ledger().filter((line) => line.event === 'invite');
const put = (change: Partial<Guardrails>) =>
  db()
    .transaction()
    .execute((tx) => putGuardrails(tx, testEnv.accountId, { ...defaultGuardrails, ...change }));
const calls = (ids: readonly string[]) =>
  db()
    .selectFrom('calls')
    .select(['to_number', 'status', 'reason', 'attempts_made', 'settled'])
    .where('id', 'in', [...ids])
    .orderBy('position')
    .execute();

test('P2-2: the dialer holds an account to the operator’s limits whatever the account has set before them', async () => {
  testEnv = await dialerTestEnv({}, { allowedCountries: ['US'], refusePremiumRate: true, refuseSatellite: true });
  const gateway = await testEnv.gateway();
  await put({ allowedCountries: ['US', 'CU', '001'], refusePremiumRate: false, refuseSatellite: false });
  const numbers = ['+15550100007', '+5352345670', '+19002345607', '+870773112307'];
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), numbers);
  await testEnv.dialer();
  await until(async () => (await calls(ids)).every(({ settled }) => settled));
  expect(invites().map((line) => line.to)).toEqual(['+15550100007']);
  expect((await calls(ids)).map(({ reason }) => reason).slice(1)).toEqual([
    'country_not_allowed',
    'premium_rate_number',
    'satellite_number',
  ]);
});

test('P2-2: outside of the operator’s calling hours no call is dialed, although the account’s are open', async () => {
  const today = new Date().getUTCDay();
  const closed = { from: '09:00', until: '18:00', daysOfWeek: [((today + 2) % 7) + 1] };
  testEnv = await dialerTestEnv({}, { callingHours: closed });
  const gateway = await testEnv.gateway();
  await put({ callingHours: { from: '00:00', until: '24:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7] } });
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), ['+12125550107']);
  await testEnv.dialer();
  const dueAt = async () =>
    (await db().selectFrom('call_attempts').select('due_at').executeTakeFirstOrThrow()).due_at.getTime();
  await until(async () => (await dueAt()) > Date.now() + 60_000);
  expect(invites()).toEqual([]);
  expect(await calls(ids)).toMatchObject([{ status: 'pending', attempts_made: 0 }]);
});

test('P2-2: no account has more live calls than the operator allows, over its gateways and over all dialers', async () => {
  testEnv = await dialerTestEnv({ speed: 60 }, { maxConcurrentCallsPerAccount: 3 });
  const gateways = [await testEnv.gateway(), await testEnv.gateway()];
  const ids: string[] = [];
  for (const [place, gateway] of gateways.entries()) {
    ids.push(...(await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(0, 10, place * 100))));
  }
  await testEnv.dialer();
  await testEnv.dialer();
  let most = 0;
  await until(async () => {
    const { rows } = await sql<{ live: number; ended: number }>`
      select count(*) filter (where phase in ('claimed', 'dialing', 'ringing', 'answered'))::int as live,
        count(*) filter (where phase = 'ended')::int as ended from call_attempts`.execute(db());
    most = Math.max(most, rows[0]?.live ?? 0);
    return rows[0]?.ended === ids.length;
  });
  expect(most).toBe(3);
});

test('P2-2: a gateway that was set faster before goes at the operator’s pace', async () => {
  testEnv = await dialerTestEnv({}, { maxCallsPerSecond: 4, maxConcurrentCalls: 50 });
  const gateway = await testEnv.gateway({ callsPerSecond: 100, maxConcurrentCalls: 100 });
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(1, 9));
  await testEnv.dialer();
  await until(async () => (await calls(ids)).every(({ settled }) => settled));
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from max(dialed_at) - min(dialed_at))::float8 as seconds from call_attempts`.execute(db());
  // Nine INVITEs, a quarter of a second apart; a slot may be missed by its tolerance and no more.
  expect(rows[0]?.seconds).toBeGreaterThan(1.7);
});

test('P2-2: a batch that was made with quicker retries waits as long as the operator wants', async () => {
  testEnv = await dialerTestEnv({}, { minRetryDelaySeconds: 3_600 });
  const gateway = await testEnv.gateway();
  const batchId = await testEnv.batch(gateway, { retryOn: ['rejected'], retryDelaysSeconds: [1] });
  const [id = ''] = await testEnv.calls(gateway, batchId, numbersEndingIn(1, 1));
  await testEnv.dialer();
  await until(() => testEnv.told.length === 1);
  const [told] = testEnv.told;
  expect(told?.[0]).toBe(id);
  expect(Date.parse(told?.[2] ?? '') - Date.now()).toBeGreaterThan(3_500_000);
});
