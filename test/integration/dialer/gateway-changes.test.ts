import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { changeGateway } from '../../../api/gateways/change.js';
import type { UpdateGateway } from '../../../api/gateways/update-body.js';
import { readEnv } from '../../../platform/env.js';
import { createSecretBox } from '../../../platform/secret-box.js';
import { mostInASecond, notingDepartures } from './departures.js';
import { dialerTestEnv, numbersEndingIn, until, type Gateway, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

/** PATCH of a gateway, as the API's operations make it. */
const patch = ({ id }: Gateway, change: UpdateGateway) =>
  changeGateway(
    id,
    'outbound',
    change,
    {
      accountId: testEnv.accountId,
      keyId: 'key_test',
      token: '',
      address: '127.0.0.1',
      permissions: null,
      expiresAt: null,
      seesSecrets: true,
    },
    {
      database: testEnv.database,
      env: readEnv({}),
      secretBox: createSecretBox([`test:${randomBytes(32).toString('base64')}`]),
      logger: pino({ level: 'silent' }),
      temporal: { kick: () => undefined, isReachable: () => Promise.resolve(true) },
      telephony: { checkGateway: () => Promise.reject(new Error('not asked')) },
      serviceKey: () => undefined,
      clock: () => new Date(),
    },
  );

const invites = () => testEnv.ledger().filter((line) => line.event === 'invite');
const peakLive = async (gateway: Gateway) => {
  const stats = (await (await fetch(`${testEnv.carrier.url}/stats`)).json()) as {
    gateways: Record<string, { peakLive: number }>;
  };
  return stats.gateways[gateway.id]?.peakLive;
};

test('more concurrent calls are used by the very next claim', async () => {
  testEnv = await dialerTestEnv({ speed: 30 });
  const gateway = await testEnv.gateway({ callsPerSecond: 100, maxConcurrentCalls: 1 });
  await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(0, 40));
  await testEnv.dialer();
  await until(() => invites().length >= 2);
  expect(await peakLive(gateway)).toBe(1);

  await patch(gateway, { maxConcurrentCalls: 5 });

  await until(async () => (await peakLive(gateway)) === 5);
  await until(() => invites().length >= 10);
  expect(await peakLive(gateway)).toBe(5);
  await testEnv.database.db.updateTable('batches').set({ paused: true }).execute();
});

test('fewer concurrent calls and fewer calls per second hold for what has not been dialed', async () => {
  testEnv = await dialerTestEnv({ speed: 20, channels: 2 });
  const gateway = await testEnv.gateway({ callsPerSecond: 200, maxConcurrentCalls: 100 });
  await patch(gateway, { maxConcurrentCalls: 2, callsPerSecond: 8 });
  await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(7, 16));
  const leftMs: number[] = [];
  await testEnv.dialer(notingDepartures(testEnv.provider(), leftMs));
  await until(() => testEnv.ledger().filter((line) => line.event === 'ended').length === 16);
  const stats = (await (await fetch(`${testEnv.carrier.url}/stats`)).json()) as { violations: object };
  expect(stats.violations).toEqual({ calls_per_second: 0, channels: 0, repeated: 0 });
  expect(mostInASecond(leftMs)).toBeLessThanOrEqual(8);
});

test('a gateway that dialed slowly does not finish its wait when it may dial faster', async () => {
  testEnv = await dialerTestEnv({ speed: 20 });
  const gateway = await testEnv.gateway({ callsPerSecond: 0.1 });
  await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(7, 6));
  await testEnv.dialer();
  await until(() => invites().length === 1);
  // As a still slower pace would have left it: at that, the test's own time limit would end it.
  const inAMinute = new Date(Date.now() + 60_000);
  await testEnv.database.db.updateTable('gateway_admission').set({ next_dial_at: inAMinute }).execute();

  await patch(gateway, { callsPerSecond: 100 });

  await until(() => invites().length === 6);
});

test('an address that was suspended is tried again at once with its new credentials', async () => {
  testEnv = await dialerTestEnv({ speed: 20 });
  const gateway = await testEnv.gateway();
  await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(7, 3));
  await testEnv.database.db
    .updateTable('gateway_admission')
    .set({ suspended_since: new Date(), probe_at: new Date(Date.now() + 600_000), probe_delay_seconds: 600 })
    .where('gateway_id', '=', gateway.id)
    .execute();
  await testEnv.dialer();
  await until(async () => {
    const row = await testEnv.database.db.selectFrom('gateway_admission').selectAll().executeTakeFirstOrThrow();
    return row.next_claim_at > new Date(Date.now() + 300_000);
  });
  expect(invites()).toEqual([]);

  await patch(gateway, { auth: { username: 'new', password: 'right' } });

  await until(() => invites().length === 3);
});

test('callees that the gateway does not allow are not dialed, in batches too', async () => {
  testEnv = await dialerTestEnv({ speed: 20 });
  const gateway = await testEnv.gateway();
  await patch(gateway, { allowedNumbers: ['+1555*'] });
  const [, refused] = await testEnv.calls(gateway, await testEnv.batch(gateway), ['+15550000117', '+447700900117']);
  await testEnv.dialer();
  await until(async () => {
    const rows = await testEnv.database.db.selectFrom('calls').select('id').where('settled', '=', true).execute();
    return rows.length === 2;
  });
  const call = await testEnv.database.db
    .selectFrom('calls')
    .select(['status', 'reason'])
    .where('id', '=', refused!)
    .executeTakeFirstOrThrow();
  expect(call).toEqual({ status: 'failed', reason: 'number_not_allowed' });
  expect(invites().map(({ to }) => to)).toEqual(['+15550000117']);
});
