import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { announceAgentWorker } from '../../../db/queries/agent-workers.js';
import { claimAttempts, nextClaimInMs } from '../../../db/queries/dialer/claim-attempts.js';
import { startLease } from '../../../db/queries/dialer/lease.js';
import { releaseAttempts } from '../../../db/queries/dialer/release-attempts.js';
import { wakeGateways } from '../../../db/queries/wake-gateways.js';
import { aWorld, type Gateway, numbersEndingIn, type World } from './world.js';

const dialer = { id: randomUUID(), host: 'test', pid: 1 };
let world: World;
let gateways: readonly [Gateway, Gateway];
beforeEach(async () => {
  world = await aWorld();
  await startLease(world.database.db, dialer, 600);
  gateways = [await world.gateway(), await world.gateway()];
});
afterEach(() => world.close());

const agents = (slots: number) =>
  announceAgentWorker(world.database.db, { id: 'worker', region: 'default', slots, used: 0, state: 'ready' });

/** Wakes the gateway and claims from it alone. @returns the calls claimed */
async function claim(gateway: Gateway, regions: readonly string[]): Promise<string[]> {
  const { db } = world.database;
  await sql`update gateway_admission set next_claim_at = 'infinity'`.execute(db);
  await wakeGateways(db, [gateway.id]);
  return (await claimAttempts(db, dialer.id, 200, regions)).map(({ call_id }) => call_id);
}

test('no more calls are claimed than agents of the region are free, whichever gateways they go through', async () => {
  await agents(3);
  await world.calls(gateways[0], null, numbersEndingIn(7, 2, 100));
  const second = await world.calls(gateways[1], null, numbersEndingIn(7, 5, 200));
  expect(await claim(gateways[0], ['default'])).toHaveLength(2);
  const [first = ''] = await claim(gateways[1], ['default']);
  expect(second).toContain(first);
  expect(await claim(gateways[1], ['default'])).toEqual([]);
  await releaseAttempts(world.database.db, [{ callId: first, number: 1, claimId: await world.claimOf(first) }], 600);
  expect(await claim(gateways[1], ['default'])).toHaveLength(1);
  await agents(9);
  expect(await claim(gateways[1], ['default'])).toHaveLength(3);
});

test('a gateway of `auto` has the agents of the first region', async () => {
  await agents(1);
  await sql`update gateways set sip_region = 'auto'`.execute(world.database.db);
  await world.calls(gateways[0], null, numbersEndingIn(7, 3, 100));
  expect(await claim(gateways[0], ['elsewhere', 'default'])).toEqual([]);
  expect(await claim(gateways[0], ['default', 'elsewhere'])).toHaveLength(1);
});

test('calls wait for no agent where agents are simulated', async () => {
  await world.calls(gateways[0], null, numbersEndingIn(7, 3, 100));
  expect(await claim(gateways[0], [])).toHaveLength(3);
});

test('a gateway without a free agent is looked at again soon while calls wait, and sleeps when none do', async () => {
  await world.calls(gateways[0], null, numbersEndingIn(7, 1, 100));
  expect(await claim(gateways[0], ['default'])).toEqual([]);
  expect(await nextClaimInMs(world.database.db)).toBeLessThanOrEqual(1_000);
  expect(await claim(gateways[1], ['default'])).toEqual([]);
  expect(await nextClaimInMs(world.database.db)).toBeNull();
});
