import { Response } from 'undici';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { secretPlaces } from '../../domain/account/secret-places.js';
import { failDelivery, recordDeliveryTry } from '../../db/queries/webhooks/deliveries.js';
import { askForRedelivery } from '../../db/queries/webhooks/deliveries-list.js';
import type { FindAddresses } from '../../platform/find-addresses.js';
import { createGuardedFetch, type GuardedFetch } from '../../platform/outbound-url.js';
import { createLogger } from '../../platform/logger.js';
import { formatId } from '../../domain/ids.js';
import { aTenant, type Tenant } from './fixtures.js';
import { timeSkippingTestEnv, type TimeSkippingTestEnv, testSecretBox } from './test-env.js';

const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const previousSecret = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;

interface Received {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly atMs: number;
}

let testEnv: TimeSkippingTestEnv;
let tenant: Tenant;
let received: Received[] = [];
let lines: unknown[] = [];
/** What the endpoint answers to each request in turn; the last for ever. An Error is a connection that broke. */
let answers: (number | Error)[] = [];
/** Makes the first request instead of the endpoint, if there is one. */
let guarded: GuardedFetch | null = null;

beforeAll(async () => {
  testEnv = await timeSkippingTestEnv({
    logger: createLogger('worker', 'info', { write: (line: string) => void lines.push(JSON.parse(line)) }),
    fetchOutside: async (url, init) => {
      const headers = Object.fromEntries(
        Object.entries(init?.headers ?? {}).map(([name, value]) => [name, String(value)]),
      );
      received.push({
        url,
        headers,
        body: typeof init?.body === 'string' ? init.body : '',
        atMs: await testEnv.env.currentTimeMs(),
      });
      if (guarded !== null && received.length === 1) return guarded(url, init);
      const answer = answers[Math.min(received.length, answers.length) - 1] ?? 200;
      if (answer instanceof Error) throw new TypeError('fetch failed', { cause: answer });
      return new Response(null, { status: answer });
    },
  });
});
afterAll(() => testEnv.close());

beforeEach(async () => {
  received = [];
  lines = [];
  guarded = null;
  tenant = await aTenant(testEnv.database.db, (id) => testSecretBox().seal(secret, secretPlaces.webhookSecret(id)));
});

const payload = JSON.stringify({ batchId: 'batch_1', status: 'completed', name: 'Zoë “1”' });

async function aDelivery(endpoint = 'https://example.com/hook'): Promise<string> {
  const id = formatId('webhookDelivery', uuidv7());
  await testEnv.database.db
    .insertInto('webhook_deliveries')
    .values({
      id,
      account_id: tenant.accountId,
      event: 'batchcall-completed',
      endpoint,
      payload,
      created_at: new Date(await testEnv.env.currentTimeMs()),
    })
    .execute();
  return id;
}

const begin = (id: string) =>
  testEnv.workflows.start('deliverWebhook', id, { accountId: tenant.accountId, deliveryId: id });
/** While a result is awaited, the server skips the time until the next timer of any workflow. */
const resultOf = (id: string): Promise<unknown> => testEnv.client.workflow.getHandle(id).result();
async function deliver(id: string): Promise<unknown> {
  await begin(id);
  return resultOf(id);
}
const statusOf = async (id: string) =>
  (
    await testEnv.database.db
      .selectFrom('webhook_deliveries')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status;
const triesOf = (id: string) =>
  testEnv.database.db
    .selectFrom('delivery_attempts')
    .select(['number', 'status_code', 'error'])
    .where('delivery_id', '=', id)
    .orderBy('number')
    .execute();

// shows: batch.webhook.body, webhooks.standard, webhooks.frozen
test('what is delivered verifies with the receiver’s library, and is the frozen payload to the byte', async () => {
  answers = [204];
  const id = await aDelivery();

  expect(await deliver(id)).toEqual({ delivered: true });

  const [request] = received;
  expect(request).toMatchObject({ url: 'https://example.com/hook', body: payload });
  expect(request!.headers['webhook-id']).toBe(id);
  expect(new Webhook(secret).verify(request!.body, request!.headers)).toEqual(JSON.parse(payload));
  expect(await statusOf(id)).toBe('delivered');
  expect(await triesOf(id)).toEqual([{ number: 1, status_code: 204, error: null }]);
});

test('each try that was not taken is a line of the log, with its ids and without the payload or the address', async () => {
  answers = [503, new Error('it broke'), 200];
  const id = await aDelivery('https://example.com/hook?key=of-theirs');

  await deliver(id);

  const about = { msg: 'a webhook was not taken', accountId: tenant.accountId, deliveryId: id };
  const ours = lines.filter((line) => JSON.stringify(line).includes(id));
  expect(ours).toMatchObject([
    { ...about, try: 1, statusCode: 503, error: null },
    { ...about, try: 2, statusCode: null },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/Zoë|of-theirs/);
});

// shows: webhooks.rotation
test('while a secret is being replaced, receivers can verify with either', async () => {
  const sealed = testSecretBox().seal(previousSecret, secretPlaces.webhookSecret(tenant.accountId));
  const replace = (until: Date) =>
    testEnv.database.db
      .updateTable('accounts')
      .set({ previous_webhook_secret_sealed: sealed, previous_webhook_secret_valid_until: until })
      .where('id', '=', tenant.accountId)
      .execute();
  answers = [200];
  await replace(new Date(Date.now() + 3_600_000));
  await deliver(await aDelivery());
  await replace(new Date(Date.now() - 1_000));
  await deliver(await aDelivery());

  const [during, after] = received;
  expect(new Webhook(secret).verify(during!.body, during!.headers)).toBeDefined();
  expect(new Webhook(previousSecret).verify(during!.body, during!.headers)).toBeDefined();
  expect(new Webhook(secret).verify(after!.body, after!.headers)).toBeDefined();
  expect(() => new Webhook(previousSecret).verify(after!.body, after!.headers)).toThrow('signature');
});

test('a secret that cannot be read is tried again, as the account is told, and holds up no other account', async () => {
  const change = (sealed: string) =>
    testEnv.database.db
      .updateTable('accounts')
      .set({ webhook_secret_sealed: sealed })
      .where('id', '=', tenant.accountId)
      .execute();
  const place = secretPlaces.webhookSecret(tenant.accountId);
  answers = [200];
  await change('v2.lost.AAAA');
  const mine = await aDelivery();
  await begin(mine);
  await testEnv.until(async () => (await triesOf(mine)).length > 0);
  expect(received).toEqual([]);
  expect((await triesOf(mine))[0]).toMatchObject({ status_code: null, error: expect.stringContaining('Rotate it') });
  const damaged = tenant;
  tenant = await aTenant(testEnv.database.db, (id) => testSecretBox().seal(secret, secretPlaces.webhookSecret(id)));
  const theirs = await aDelivery();
  await begin(theirs);
  await testEnv.until(async () => (await statusOf(theirs)) === 'delivered');
  tenant = damaged;
  await change(testSecretBox().seal(secret, place));
  expect(await resultOf(mine)).toEqual({ delivered: true });
});

// shows: webhooks.redirects, webhooks.retries
test('anything but 2xx is tried again later under the same id: errors, redirects, broken connections', async () => {
  answers = [500, 302, new Error('connect ECONNREFUSED'), 200];
  const id = await aDelivery();

  await deliver(id);

  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id, id, id]);
  const delays = received.slice(1).map(({ atMs }, index) => (atMs - received[index]!.atMs) / 1000);
  for (const [index, planned] of [5, 30, 120].entries()) {
    expect(delays[index]).toBeGreaterThan(planned - 0.5);
    expect(delays[index]).toBeLessThan(planned * 3); // a busy machine takes its time over each request
  }
  expect(await triesOf(id)).toEqual([
    { number: 1, status_code: 500, error: null },
    { number: 2, status_code: 302, error: null },
    { number: 3, status_code: null, error: 'connect ECONNREFUSED' },
    { number: 4, status_code: 200, error: null },
  ]);
});

test('P3-10: a delivery to a name of the private network fails with the words for a name that does not exist', async () => {
  const findAddresses: FindAddresses = (hostname) =>
    hostname === 'vm.example'
      ? Promise.resolve([{ address: '10.0.0.1', family: 4 }])
      : Promise.reject(Object.assign(new Error(`ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' }));
  guarded = createGuardedFetch({ allowPrivate: false, allowInsecure: false, findAddresses });
  answers = [200];
  const firstTryOf = async (endpoint: string) => {
    received = [];
    const id = await aDelivery(endpoint);
    await deliver(id);
    return (await triesOf(id))[0];
  };

  const inside = await firstTryOf('https://vm.example/hook');
  expect(inside).toEqual({ number: 1, status_code: null, error: 'the host leads to no public address' });
  expect(await firstTryOf('https://absent.example/hook')).toEqual(inside);
  await guarded.close();
});

test('a delivery that begins again elsewhere goes on with the next try, and one that was taken is not made twice', async () => {
  answers = [200];
  const id = await aDelivery();
  await testEnv.database.db
    .insertInto('delivery_attempts')
    .values([1, 2, 3].map((number) => ({ delivery_id: id, number, status_code: 500, milliseconds: 5 })))
    .execute();
  await deliver(id);
  await deliver(id);

  expect(received).toHaveLength(1);
  expect((await triesOf(id)).map(({ number }) => number)).toEqual([1, 2, 3, 4]);
});

test('a delivery that failed and is asked for again gets another day, from the shortest delay on, under its id', async () => {
  const { db } = testEnv.database;
  answers = [500, 500, 200];
  const id = await aDelivery();
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', created_at: new Date(Date.now() - 3 * 86_400_000) })
    .where('id', '=', id)
    .execute();
  const before = { delivery_id: id, milliseconds: 1, status_code: 500, at: new Date(Date.now() - 2 * 86_400_000) };
  await db
    .insertInto('delivery_attempts')
    .values(Array.from({ length: 12 }, (_unused, index) => ({ ...before, number: index + 1 })))
    .execute();

  expect(await db.transaction().execute((tx) => askForRedelivery(tx, tenant.accountId, id))).toBe(true);
  await testEnv.outbox.sendDue();
  await testEnv.until(async () => received.length === 1);
  await testEnv.env.sleep(5_500);
  await testEnv.until(async () => received.length === 2);
  await testEnv.env.sleep(31_000);
  await testEnv.until(async () => received.length === 3);

  expect(await resultOf(id)).toEqual({ delivered: true });
  expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
  expect(await statusOf(id)).toBe('delivered');
  expect((await triesOf(id)).map(({ number }) => number)).toEqual(
    Array.from({ length: 15 }, (_unused, index) => index + 1),
  );
});

test('a delivery that is asked for again while its end is being stored a second time is not ended untried', async () => {
  const { db } = testEnv.database;
  const id = await aDelivery();
  await recordDeliveryTry(db, id, { statusCode: 500, milliseconds: 1, error: null, delivered: false });
  expect(await failDelivery(db, tenant.accountId, id)).not.toBeNull();
  await db.transaction().execute((tx) => askForRedelivery(tx, tenant.accountId, id));
  expect(await failDelivery(db, tenant.accountId, id)).toBeNull();
  expect(await statusOf(id)).toBe('pending');
});

// The last one: by the clock of Temporal, those after it would run a day late.
// shows: webhooks.failed
test('after a day without success the delivery has failed', async () => {
  answers = [500];
  const id = await aDelivery();

  expect(await deliver(id)).toEqual({ delivered: false });

  expect(await statusOf(id)).toBe('failed');
  expect(received.at(-1)!.atMs - received[0]!.atMs).toBeLessThanOrEqual(86_400_000);
  expect(received).toHaveLength(18);
});
