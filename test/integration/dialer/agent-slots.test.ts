import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { announceAgentWorker } from '../../../db/queries/agents/workers.js';
import { agentSlots } from '../../../db/queries/dialer/agent-slots.js';
import { claimAttempts, nextClaimInMs } from '../../../db/queries/dialer/claim-attempts.js';
import { startLease } from '../../../db/queries/dialer/lease.js';
import { releaseAttempts } from '../../../db/queries/dialer/release-attempts.js';
import { wakeGateways } from '../../../db/queries/dialer/wake-gateways.js';
import { dialerTestEnv, type Gateway, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

const dialer = { id: randomUUID(), host: 'test', pid: 1 };
let testEnv: DialerTestEnv;
let gateways: readonly [Gateway, Gateway];
beforeEach(async () => {
  testEnv = await dialerTestEnv();
  await startLease(testEnv.database.db, dialer, 600);
  gateways = [await testEnv.gateway(), await testEnv.gateway()];
});
afterEach(() => testEnv.close());

const agents = (slots: number) =>
  announceAgentWorker(testEnv.database.db, { id: 'worker', region: 'default', slots, used: 0, state: 'ready' });

/** Wakes the gateway and claims from it alone. @returns the calls claimed */
async function claim(gateway: Gateway, regions: readonly string[]): Promise<string[]> {
  const { db } = testEnv.database;
  await sql`update gateway_admission set next_claim_at = 'infinity'`.execute(db);
  await wakeGateways(db, [gateway.id]);
  return (await claimAttempts(db, dialer.id, 200, regions)).map(({ callId }) => callId);
}

test('no more calls are claimed than agents of the region are free, whichever gateways they go through', async () => {
  await agents(3);
  await testEnv.calls(gateways[0], null, numbersEndingIn(7, 2, 100));
  const second = await testEnv.calls(gateways[1], null, numbersEndingIn(7, 5, 200));
  expect(await claim(gateways[0], ['default'])).toHaveLength(2);
  const [first = ''] = await claim(gateways[1], ['default']);
  expect(second).toContain(first);
  expect(await claim(gateways[1], ['default'])).toEqual([]);
  await releaseAttempts(
    testEnv.database.db,
    [{ callId: first, attempt: 1, claimId: await testEnv.claimOf(first) }],
    600,
  );
  expect(await claim(gateways[1], ['default'])).toHaveLength(1);
  await agents(9);
  expect(await claim(gateways[1], ['default'])).toHaveLength(3);
});

test('a gateway of `auto` has the agents of the first region', async () => {
  await agents(1);
  await sql`update gateways set sip_region = 'auto'`.execute(testEnv.database.db);
  await testEnv.calls(gateways[0], null, numbersEndingIn(7, 3, 100));
  expect(await claim(gateways[0], ['elsewhere', 'default'])).toEqual([]);
  expect(await claim(gateways[0], ['default', 'elsewhere'])).toHaveLength(1);
});

test('calls wait for no agent where agents are simulated', async () => {
  await testEnv.calls(gateways[0], null, numbersEndingIn(7, 3, 100));
  expect(await claim(gateways[0], [])).toHaveLength(3);
});

test('a gateway without a free agent is looked at again soon while calls wait, and sleeps when none do', async () => {
  await testEnv.calls(gateways[0], null, numbersEndingIn(7, 1, 100));
  expect(await claim(gateways[0], ['default'])).toEqual([]);
  expect(await nextClaimInMs(testEnv.database.db)).toBeLessThanOrEqual(1_000);
  expect(await claim(gateways[1], ['default'])).toEqual([]);
  expect(await nextClaimInMs(testEnv.database.db)).toBeNull();
});

test('C12: two gateways that are claimed from at once never take the same last agent, and the earlier claim has it', async () => {
  const { db } = testEnv.database;
  await agents(3);
  for (const [place, gateway] of gateways.entries()) {
    await testEnv.calls(gateway, null, numbersEndingIn(7, 4, 100 + 100 * place));
  }
  await sql`update gateway_admission set next_claim_at = clock_timestamp()`.execute(db);
  const waits = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(db);
    return rows[0]?.n === 1;
  };
  let second: Promise<readonly string[]> = Promise.resolve([]);
  const first = await db.transaction().execute(async (tx) => {
    const claimed = await claimAttempts(tx, dialer.id, 2, ['default']);
    second = claimAttempts(db, dialer.id, 200, ['default']).then((rows) => rows.map((row) => row.callId));
    await until(waits);
    return claimed.map((row) => row.callId);
  });
  expect([first.length, (await second).length]).toEqual([2, 1]);
  const places: number[] = [];
  for (const callId of [...first, ...(await second)]) {
    places.push((await agentSlots(db, { callId, attempt: 1 }, 'default', ['default'])).wanted);
  }
  expect(places).toEqual([expect.toSatisfy((n) => n === 1 || n === 2), expect.toSatisfy((n) => n === 1 || n === 2), 3]);
});
