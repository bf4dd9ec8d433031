import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeQuestion } from '../../../db/queries/dialer/pre-dial.js';
import { preDialEndpoint, type PreDialEndpoint } from '../../setup/pre-dial-endpoint.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

const hangingAccounts = 16;
const batchesOfEach = 5;

let testEnv: DialerTestEnv;
let hanging: PreDialEndpoint;
let healthy: PreDialEndpoint;
/** Questions of endpoints that hang: under way, at most at a time, given up. */
let hung: { now: number; most: number; ended: number };

beforeEach(async () => {
  testEnv = await dialerTestEnv({ speed: 50 });
  hanging = await preDialEndpoint();
  healthy = await preDialEndpoint();
  hung = { now: 0, most: 0, ended: 0 };
  hanging.misbehave = (response: ServerResponse) => {
    hung.now += 1;
    hung.most = Math.max(hung.most, hung.now);
    response.once('close', () => {
      hung.now -= 1;
      hung.ended += 1;
    });
  };
});
afterEach(async () => {
  await testEnv.close();
  await hanging.close();
  await healthy.close();
});

const db = () => testEnv.database.db;
const dialedBy = (from: string) => testEnv.ledger().filter((line) => line.event === 'invite' && line.from === from);

async function batchOf(accountId: string, url: string, timeoutMs: number, numbers: readonly string[], batches = 1) {
  await sql`
    update accounts set webhook_secret_sealed = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    where id = ${accountId}`.execute(db());
  const gateway = await testEnv.gateway({ accountId });
  for (let made = 0; made < batches; made += 1) {
    const batchId = await testEnv.batch(gateway, { preDial: { url, timeoutMs, onError: 'wait' } });
    const own = numbers.slice((made * numbers.length) / batches, ((made + 1) * numbers.length) / batches);
    await testEnv.calls(gateway, batchId, own);
  }
  return gateway.e164;
}

async function hangingEndpoints(timeoutMs: number): Promise<void> {
  for (let made = 0; made < hangingAccounts; made += 1) {
    const numbers = numbersEndingIn(7, batchesOfEach, made * batchesOfEach);
    await batchOf(await testEnv.otherAccount(), hanging.url, timeoutMs, numbers, batchesOfEach);
  }
}

// shows: pre-dial.room
test('an account is asked and called at once while the endpoints of sixteen others hang that were never asked before', async () => {
  await hangingEndpoints(5_000);
  await testEnv.dialer();
  await until(() => hung.now >= hangingAccounts);
  let endedBefore = -1;
  healthy.verdict = () => {
    if (endedBefore < 0) endedBefore = hung.ended;
    return { eligible: true };
  };
  const caller = await batchOf(testEnv.accountId, healthy.url, 2_000, numbersEndingIn(7, 3, 5_000));
  await until(() => dialedBy(caller).length === 3);
  // On a busy machine their first questions may have been given up by then; no more.
  expect(endedBefore).toBeLessThanOrEqual(hangingAccounts);
});

// shows: pre-dial.room
test('accounts whose endpoints hang have half of the room of a dialer together, however often they are asked', async () => {
  await hangingEndpoints(1_200);
  await testEnv.dialer();
  await until(() => hung.ended >= hangingAccounts && hung.now > hangingAccounts);
  const caller = await batchOf(testEnv.accountId, healthy.url, 2_000, numbersEndingIn(7, 3, 5_000));
  await until(() => dialedBy(caller).length === 3);
  await until(() => hung.ended >= 4 * hangingAccounts);
  expect(hung.most).toBeLessThanOrEqual(32);
});

// shows: pre-dial.room
test('an account with one batch is asked before another whose many batches have waited longer and of which one is asked', async () => {
  const other = await testEnv.otherAccount();
  await batchOf(other, hanging.url, 5_000, numbersEndingIn(7, batchesOfEach), batchesOfEach);
  await batchOf(testEnv.accountId, healthy.url, 2_000, numbersEndingIn(7, 1, 5_000));
  await sql`
    insert into pre_dial_lanes (batch_id, gateway_id, account_id, ask_at, ahead)
    select id, gateway_id, account_id, now() - case when account_id = ${other} then interval '2 s' else interval '1 s' end, 10
    from batches`.execute(db());
  const take = (accounts: Map<string, number>) =>
    takeQuestion(db(), randomUUID(), 100, { accounts, fullAccounts: [], fullLanes: [] });
  expect(await take(new Map())).toMatchObject({ accountId: other });
  expect(await take(new Map([[other, 1]]))).toMatchObject({ accountId: testEnv.accountId });
});
