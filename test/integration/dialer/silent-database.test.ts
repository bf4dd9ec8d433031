import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../db/client.js';
import { startSwallowingProxy, type SwallowingProxy } from '../../setup/swallowing-proxy.js';
import { dialerTestEnv, type DialerTestEnv, numbersEndingIn, until } from './test-env.js';

/** A dialer whose connections to its database are forgotten on the way, one after the other. */

let env: DialerTestEnv;
let proxy: SwallowingProxy;
let behind: Database;
beforeEach(async () => {
  env = await dialerTestEnv();
  const url = new URL(String(env.database.pool.options.connectionString));
  proxy = await startSwallowingProxy({ host: url.hostname, port: Number(url.port) });
  [url.hostname, url.port] = ['127.0.0.1', String(proxy.port)];
  const limits = { statementTimeoutMs: 2_000, silentForMs: 500 };
  behind = openDatabase({ url: url.href, poolSize: 6, name: 'dialer', byIndex: true, ...limits });
});
afterEach(async () => {
  await env.close();
  await behind.close();
  await proxy.close();
});

test.each([
  ['asks the gate', 'from gate_attempts('],
  ['asks for slots', 'pace_attempts('],
  ['stores what it has seen of calls', 'update calls'],
])('a dialer whose connection is forgotten as it %s dials everybody, once', async (_what, words) => {
  const gateway = await env.gateway();
  const batchId = await env.batch(gateway);
  proxy.swallowAt(words);
  await env.dialer(undefined, 15, () => behind.db);
  const numbers = numbersEndingIn(1, 5);
  await env.calls(gateway, batchId, numbers);
  await until(() => env.told.length === numbers.length);
  expect(proxy.forgotten).toBe(1);
  const called = env.ledger().flatMap((line) => (line.event === 'invite' ? [line.to] : []));
  expect(called.toSorted()).toEqual(numbers.toSorted());
});
