import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { findPrices, lockPrices, putPrices } from '../../../db/queries/accounts/prices.js';
import type { CallPrice } from '../../../domain/account/call-price.js';
import { putGuardrails } from '../../../db/queries/accounts/guardrails.js';
import { findBatchStats } from '../../../db/queries/batches/batches.js';
import { defaultGuardrails } from '../../../domain/account/guardrails.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv, type Gateway } from './test-env.js';

const answering = { kind: 'answer', ringAfterSeconds: 0, answerAfterSeconds: 1, answeredBy: 'human' } as const;
const short = { ...answering, talkSeconds: 5, endedBy: 'callee' } as const;
const silent = { kind: 'ring_out', ringAfterSeconds: 0 } as const;

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());
const db = () => testEnv.database.db;

const any = { gatewayId: null, country: null, perMinuteMicros: 0, incrementSeconds: 1, minimumSeconds: 1 };

const setPrices = (prices: readonly Partial<CallPrice>[], currency = 'USD') =>
  db()
    .transaction()
    .execute(async (tx) => {
      await lockPrices(tx, testEnv.accountId, currency);
      await putPrices(tx, testEnv.accountId, { currency, calls: prices.map((price) => ({ ...any, ...price })) });
    });

interface Priced {
  readonly to: string;
  readonly cost: string | null;
  readonly unpriced: boolean | null;
  readonly country: string | null;
  readonly seconds: number;
}

async function attemptsOf(batchId: string): Promise<Priced[]> {
  const { rows } = await sql<Priced>`
    select to_number as to, cost, unpriced, country, extract(epoch from ended_at - answered_at)::float8 as seconds
    from call_attempts where batch_id = ${batchId} and phase = 'ended' order by to_number`.execute(db());
  return rows;
}

/** Calls these numbers, and waits for the end. */
async function call(numbers: readonly string[]): Promise<string> {
  const gateway = await testEnv.gateway({ callsPerSecond: 200, maxConcurrentCalls: 50 });
  await putGuardrails(db(), testEnv.accountId, { ...defaultGuardrails, allowedCountries: ['US', 'GB'] });
  const batchId = await testEnv.batch(gateway);
  await testEnv.calls(gateway, batchId, numbers);
  await until(async () => (await attemptsOf(batchId)).length === numbers.length);
  return batchId;
}

// shows: prices.cost
test('each answered attempt is priced in the commit that ends it, by its country; a later price changes nothing, and the batch has the sum', async () => {
  const [silentOne = '', ...others] = numbersEndingIn(1, 4);
  testEnv = await dialerTestEnv({ speed: 50, scenario: { numbers: { [silentOne]: [silent] }, otherwise: short } });
  await testEnv.dialer();
  await setPrices([
    { perMinuteMicros: 600_000, incrementSeconds: 60, minimumSeconds: 60 },
    { country: 'US', perMinuteMicros: 60_000, incrementSeconds: 6, minimumSeconds: 6 },
  ]);
  const batchId = await call([silentOne, ...others, '+14155550123', '+442071838750']);
  const attempts = await attemptsOf(batchId);
  const by = (country: string | null) => attempts.filter((attempt) => attempt.country === country);
  expect(by('US').map(({ cost, seconds }) => [cost, seconds < 6])).toContainEqual(['6000', true]);
  expect(by('GB').map(({ cost }) => cost)).toEqual(['600000']);
  expect(attempts.find(({ to }) => to === silentOne)).toMatchObject({ cost: null, unpriced: null });
  const sum = attempts.reduce((total, { cost }) => total + Number(cost ?? 0), 0);
  const kept = async () => (await findBatchStats(db(), testEnv.accountId, batchId))?.cost;
  expect(await kept()).toEqual({ costMicros: String(sum), unpriced: 0 });

  await setPrices([{ perMinuteMicros: 1 }]);
  expect(await attemptsOf(batchId)).toEqual(attempts);
  expect(await kept()).toEqual({ costMicros: String(sum), unpriced: 0 });
});

// shows: prices.none
test('what no price fits costs nothing known: it is counted, and an account without prices has no costs at all', async () => {
  testEnv = await dialerTestEnv({ speed: 50, scenario: { numbers: {}, otherwise: short } });
  await testEnv.dialer();
  const before = await call(['+442071838751']);
  expect(await attemptsOf(before)).toMatchObject([{ cost: null, unpriced: null }]);
  expect(await findBatchStats(db(), testEnv.accountId, before)).toMatchObject({ cost: null, currency: null });

  await setPrices([{ country: 'US', perMinuteMicros: 1 }]);
  const batchId = await call(['+442071838751', '+14155550123']);
  expect((await findBatchStats(db(), testEnv.accountId, batchId))?.cost).toMatchObject({ unpriced: 1 });
});

/** Ends an answered attempt as a process does that says this country, or none, as the version before. */
async function endedWith(gateway: Gateway, country: string | null, seconds: number) {
  const batchId = await testEnv.batch(gateway);
  await testEnv.calls(gateway, batchId, [`+1415555${String(1000 + Math.round(seconds))}`]);
  await sql`
    update call_attempts set phase = 'ended', outcome = 'answered', reason = 'callee_hung_up', dialed_at = now(), answered_at = now(),
      country = ${country}, ended_at = now() + make_interval(secs => ${seconds}::float8)
    where batch_id = ${batchId}`.execute(db());
  const [attempt] = await attemptsOf(batchId);
  return attempt?.unpriced === true ? 'no price' : attempt?.cost;
}

// shows: prices.specific
test('the most specific price counts, in its steps; one that depends on a country fits nothing if the country is not said', async () => {
  testEnv = await dialerTestEnv({ speed: 50, scenario: { numbers: {}, otherwise: short } });
  const [one, other] = [await testEnv.gateway({}), await testEnv.gateway({})];
  await setPrices([
    { perMinuteMicros: 60_000_000 },
    { country: 'IN', perMinuteMicros: 30_000_000 },
    { gatewayId: one.id, perMinuteMicros: 6_000_000, incrementSeconds: 30, minimumSeconds: 60 },
    { gatewayId: one.id, country: 'IN', perMinuteMicros: 1, incrementSeconds: 1, minimumSeconds: 1 },
  ]);
  expect(await endedWith(other, 'GB', 7)).toBe('7000000');
  expect(await endedWith(other, 'GB', 7.0004)).toBe('7000000');
  expect(await endedWith(other, 'GB', 7.001)).toBe('8000000');
  expect(await endedWith(other, 'IN', 7)).toBe('3500000');
  expect(await endedWith(one, 'GB', 7)).toBe('6000000');
  expect(await endedWith(one, 'GB', 61)).toBe('9000000');
  // A millionth for each minute: half of one is rounded up.
  expect(await endedWith(one, 'IN', 29)).toBe('0');
  expect(await endedWith(one, 'IN', 30)).toBe('1');
  expect(await endedWith(other, null, 7)).toBe('no price');
  expect((await findPrices(db(), testEnv.accountId))?.calls).toHaveLength(4);
});

test('an attempt that ends while the currency is changed waits for the change, and is priced in the new one', async () => {
  testEnv = await dialerTestEnv({ speed: 50, scenario: { numbers: {}, otherwise: short } });
  const gateway = await testEnv.gateway({});
  await setPrices([{ perMinuteMicros: 60_000_000 }]);
  let ending: Promise<unknown> = Promise.resolve();
  await db()
    .transaction()
    .execute(async (tx) => {
      await lockPrices(tx, testEnv.accountId, 'EUR');
      ending = endedWith(gateway, 'GB', 60);
      await until(async () => {
        const { rows } = await sql<{ waits: boolean }>`
          select exists (select 1 from pg_locks where not granted) as waits`.execute(db());
        return rows[0]?.waits === true;
      });
      await putPrices(tx, testEnv.accountId, { currency: 'EUR', calls: [{ ...any, perMinuteMicros: 1_000_000 }] });
    });
  expect(await ending).toBe('1000000');
});
