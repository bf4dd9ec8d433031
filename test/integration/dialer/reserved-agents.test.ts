import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { announceAgentWorker } from '../../../db/queries/agents/workers.js';
import { claimAttempts, nextClaimInMs } from '../../../db/queries/dialer/claim-attempts.js';
import { startLease } from '../../../db/queries/dialer/lease.js';
import { readEnv } from '../../../platform/env.js';
import { operatorLimitsOf } from '../../../platform/operator-env.js';
import { dialerTestEnv, numbersEndingIn, type DialerTestEnv, type Gateway } from './test-env.js';
import { waitingOfBatch } from './waiting-of.js';

let testEnv: DialerTestEnv;
let gateways: readonly [Gateway, Gateway];
let me: string;
afterEach(() => testEnv.close());

const db = () => testEnv.database.db;
const agents = (slots: number, region = 'default') =>
  announceAgentWorker(db(), { id: region, region, slots, used: 0, state: 'ready' });

/** Two gateways of many lines in the default region, with so many agents, of which the operator reserves some. */
async function start(slots: number, reserved: string): Promise<void> {
  const settings = { OUTDIAL_SECRET_KEY: 'x'.repeat(64), OUTDIAL_REGIONS: 'default,eu' };
  const limits = operatorLimitsOf(readEnv({ ...settings, OUTDIAL_RESERVED_AGENT_SLOTS: reserved }));
  testEnv = await dialerTestEnv({}, limits);
  gateways = [await testEnv.gateway(), await testEnv.gateway()];
  me = randomUUID();
  await startLease(db(), { id: me, host: 'here', pid: 1 }, 600);
  await agents(slots);
}

async function aBatch(gateway: Gateway, calls: number, from: number): Promise<string> {
  const batchId = await testEnv.batch(gateway);
  await testEnv.calls(gateway, batchId, numbersEndingIn(1, calls, from));
  return batchId;
}
const singles = (gateway: Gateway, calls: number, from: number) =>
  testEnv.calls(gateway, null, numbersEndingIn(1, calls, from));

/** What one claim of each gateway takes, by kind. */
async function claim(regions: readonly string[] = ['default', 'eu']): Promise<{ ofBatches: number; single: number }> {
  await sql`update gateway_admission set next_claim_at = clock_timestamp()`.execute(db());
  const claimed = [...(await claimAttempts(db(), me, 200, regions)), ...(await claimAttempts(db(), me, 200, regions))];
  const ofBatches = claimed.filter(({ batchId }) => batchId !== null).length;
  return { ofBatches, single: claimed.length - ofBatches };
}
const endOne = (kind: 'batch' | 'single') =>
  sql`update call_attempts set phase = 'ended', outcome = 'answered', ended_at = now()
    where call_id = (select call_id from call_attempts where phase = 'claimed' and (lane <> '') = ${kind === 'batch'} limit 1)`.execute(
    db(),
  );

// shows: agents.reserved
test('batches of all gateways together take all agents of a region but the reserved ones, which single calls have at once', async () => {
  await start(7, '3');
  await aBatch(gateways[0], 20, 0);
  await aBatch(gateways[1], 20, 100);
  expect(await claim()).toEqual({ ofBatches: 4, single: 0 });
  expect(await claim()).toEqual({ ofBatches: 0, single: 0 });
  await singles(gateways[0], 2, 300);
  await singles(gateways[1], 5, 400);
  expect(await claim()).toEqual({ ofBatches: 0, single: 3 });
  await endOne('single');
  expect(await claim()).toEqual({ ofBatches: 0, single: 1 });
});

test('single calls may have every agent; batches then have what is left of theirs', async () => {
  await start(6, 'default=2');
  await singles(gateways[1], 4, 300);
  expect(await claim()).toEqual({ ofBatches: 0, single: 4 });
  const batchId = await aBatch(gateways[0], 10, 0);
  expect(await claim()).toEqual({ ofBatches: 2, single: 0 });
  await endOne('single');
  // The agent that is free now is the reserved one.
  await endOne('single');
  expect(await claim()).toEqual({ ofBatches: 2, single: 0 });
  await endOne('single');
  await sql`update call_attempts set phase = 'dialing', dialed_at = now() where phase = 'claimed'`.execute(db());
  await sql`update calls set status = 'dialing' where id in (select call_id from call_attempts where phase = 'dialing')`.execute(
    db(),
  );
  const { counts, sentence } = await waitingOfBatch(db(), testEnv.accountId, batchId, { OUTDIAL_PROVIDER: 'livekit' });
  expect(counts).toEqual({ reserved: 6 });
  expect(sentence).toBe(
    '6 wait for a free line or agent, because the others are reserved for single calls and inbound ones.',
  );
});

test('a region that is not named keeps what is said for all, and one that is named its own', async () => {
  await start(5, '1,eu=4');
  await agents(5, 'eu');
  await sql`update gateways set sip_region = 'eu' where id = ${gateways[1].id}`.execute(db());
  await sql`update gateways set sip_region = 'auto' where id = ${gateways[0].id}`.execute(db());
  await aBatch(gateways[0], 10, 0);
  await aBatch(gateways[1], 10, 100);
  expect(await claim()).toEqual({ ofBatches: 4 + 1, single: 0 });
});

test('one agent is left to batches however few there are, and a batch that waits is looked at again each second', async () => {
  await start(3, '50');
  await aBatch(gateways[0], 10, 0);
  expect(await claim()).toEqual({ ofBatches: 1, single: 0 });
  expect(await claim()).toEqual({ ofBatches: 0, single: 0 });
  expect(await nextClaimInMs(db())).toBeLessThanOrEqual(1_000);
  await endOne('batch');
  await agents(1);
  expect(await claim()).toEqual({ ofBatches: 1, single: 0 });
});

test('where agents are simulated nothing is kept', async () => {
  await start(0, '5');
  await aBatch(gateways[0], 10, 0);
  expect(await claim([])).toEqual({ ofBatches: 10, single: 0 });
});
