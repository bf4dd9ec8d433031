import { randomUUID } from 'node:crypto';
import { sql, type KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimAttempts } from '../../../db/queries/dialer/claim-attempts.js';
import { gateAttempts } from '../../../db/queries/dialer/gate-attempts.js';
import { startLease } from '../../../db/queries/dialer/lease.js';
import { paceAttempts } from '../../../db/queries/dialer/pace-attempts.js';
import { mostInASecond, notingDepartures } from './departures.js';
import { dialerTestEnv, numbersEndingIn, until, type Gateway, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
let me: string;
beforeEach(async () => {
  testEnv = await dialerTestEnv();
  me = randomUUID();
  await startLease(testEnv.database.db, { id: me, host: 'here', pid: 1 }, 60);
});
afterEach(() => testEnv.close());

async function claimed(gateway: Gateway, count: number) {
  const { db } = testEnv.database;
  await testEnv.calls(gateway, null, numbersEndingIn(7, count, 100));
  const attempts = await claimAttempts(db, me, count);
  expect(attempts).toHaveLength(count);
  return attempts.map(({ callId, attempt, claimId }) => ({ callId, attempt, claimId }));
}

/** Milliseconds between each slot and the next one that was given. */
async function gaps(): Promise<number[]> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from dial_at - lag(dial_at) over (order by dial_at))::float8 * 1000 as ms
    from call_attempts where dial_at is not null order by dial_at offset 1`.execute(testEnv.database.db);
  return rows.map(({ ms }) => Math.round(ms * 10) / 10);
}

test.each([
  ['n calls a second: a second and its patience hold n slots', 20, 100, 55],
  ['a call every two seconds: two seconds and its patience lie between two', 0.5, 100, 2_100],
])(
  'C12: slots lie so far apart that none of them is too late, with %s',
  async (_how, callsPerSecond, patienceMs, gap) => {
    const gateway = await testEnv.gateway({ callsPerSecond });
    const keys = await claimed(gateway, 2);
    const lead = 4_000;
    await paceAttempts(testEnv.database.db, me, gateway.id, keys, lead, patienceMs);
    if (callsPerSecond >= 1) expect(await gaps()).toEqual([gap]);
    else {
      const { rows } = await sql<{ ms: number }>`
      select extract(epoch from next_dial_at - (select max(dial_at) from call_attempts))::float8 * 1000 as ms
      from gateway_admission where gateway_id = ${gateway.id}`.execute(testEnv.database.db);
      expect(rows[0]?.ms).toBeCloseTo(gap, 3);
    }
  },
);

test('C12: of dialers that differ the longest patience is in force, and if it goes down the late ones are waited for', async () => {
  const { db } = testEnv.database;
  const gateway = await testEnv.gateway({ callsPerSecond: 20 });
  const keys = await claimed(gateway, 4);
  const [one, two, three, four] = keys;
  // Each asks a tenth of a second ahead of the slot that is next, however long a busy machine takes from one to the other.
  const pace = (key: typeof one, patienceMs: number) =>
    sql`
    select * from pace_attempts(${me}, ${gateway.id}, ${[key?.callId]}::uuid[], ${[key?.attempt]}::smallint[],
      ${[key?.claimId]}::uuid[], (
        select case when next_dial_at > clock_timestamp() + interval '1 second'
          then extract(epoch from next_dial_at - clock_timestamp()) * 1000 - 100 else 4000 end
        from gateway_admission where gateway_id = ${gateway.id})::float8, ${patienceMs})`.execute(db);
  await pace(one, 150);
  await pace(two, 100);
  await sql`update gateway_admission set slot_patience_at = clock_timestamp() - interval '11 seconds'`.execute(db);
  await pace(three, 100);
  await pace(four, 100);
  expect(await gaps()).toEqual([57.5, 107.5, 55]);
});

test('C12: the gate lets nothing out before its slot, nor after its patience, and says how late it is', async () => {
  const { db } = testEnv.database;
  const gateway = await testEnv.gateway();
  const keys = await claimed(gateway, 3);
  for (const [place, ms] of [120_000, -30_000, -1_200_000].entries()) {
    await sql`update call_attempts set dial_at = clock_timestamp() + make_interval(secs => ${ms / 1000}::float8)
      where call_id = ${keys[place]?.callId ?? ''}`.execute(db);
  }
  const asked = keys.map((key) => ({
    ...key,
    invite: 1,
    room: 'room',
    revision: '0',
    until: null,
    patienceMs: 600_000,
  }));
  const answers = new Map((await gateAttempts(db, me, asked)).map((answer) => [answer.callId, answer]));
  expect(keys.map(({ callId }) => answers.get(callId)?.refusal)).toEqual(['late', null, 'late']);
  expect(answers.get(keys[1]?.callId ?? '')?.lateMs).toBeGreaterThanOrEqual(30_000);
});

test('C12: answers of the gate that come late make no burst: several dialers send no more than a second’s calls in a second', async () => {
  const gateway = await testEnv.gateway({ callsPerSecond: 8 });
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(7, 32, 1_000));
  let gates = 0;
  const stalls: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const [first] = result.rows;
      if (first !== undefined && 'refusal' in first) {
        gates += 1;
        if (gates % 18 === 0) await new Promise((resolve) => setTimeout(resolve, 900));
      }
      return result;
    },
  };
  const leftMs: number[] = [];
  for (let dialers = 0; dialers < 3; dialers += 1) {
    await testEnv.dialer(notingDepartures(testEnv.provider(), leftMs), 15, (db) => db.withPlugin(stalls));
  }
  const ended = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::integer as n from calls where settled`.execute(
      testEnv.database.db,
    );
    return rows[0]?.n === ids.length;
  };
  await until(ended);
  expect(testEnv.ledger().filter((line) => line.event === 'invite')).toHaveLength(ids.length);
  expect(leftMs).toHaveLength(ids.length);
  expect(mostInASecond(leftMs)).toBeLessThanOrEqual(8);
});
