import { Response } from 'undici';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { secretPlaces } from '../../domain/account/secret-places.js';
import { formatId } from '../../domain/ids.js';
import { aTenant } from './fixtures.js';
import { realTimeTestEnv, testSecretBox, until, type WorkflowTestEnv } from './test-env.js';

const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
/** More than one worker carries out at once, of its quick work and of what waits for others. */
const many = 100;

let testEnv: WorkflowTestEnv;
/** Requests to the receiver that does not answer until it is released. */
let waiting = 0;
let mostWaiting = 0;
let release: () => void = () => undefined;
const released = new Promise<void>((resolve) => {
  release = resolve;
});

beforeAll(async () => {
  testEnv = await realTimeTestEnv({
    async fetchOutside(url) {
      if (!url.includes('silent')) return new Response(null, { status: 204 });
      waiting += 1;
      mostWaiting = Math.max(mostWaiting, waiting);
      await released;
      waiting -= 1;
      return new Response(null, { status: 204 });
    },
  });
});
afterAll(() => testEnv.close());

const anAccount = () =>
  aTenant(testEnv.database.db, (id) => testSecretBox().seal(secret, secretPlaces.webhookSecret(id)));

async function deliveriesTo(endpoint: string, accountId: string, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => formatId('webhookDelivery', uuidv7()));
  await testEnv.database.db
    .insertInto('webhook_deliveries')
    .values(
      ids.map((id) => ({
        id,
        account_id: accountId,
        event: 'batchcall-completed',
        endpoint,
        payload: '{}',
        created_at: new Date(),
      })),
    )
    .execute();
  for (const id of ids) await testEnv.workflows.start('deliverWebhook', id, { accountId, deliveryId: id });
  return ids;
}

// shows: webhooks.slow-receivers
test('a receiver that does not answer delays neither the quick work of workers nor the webhooks of other accounts', async () => {
  const [slow, other] = [await anAccount(), await anAccount()];
  const held = await deliveriesTo('https://silent.example.com/hook', slow.accountId, many);
  await until(() => Promise.resolve(waiting >= 40));

  // Its first activity is quick work, its second is a request.
  const [id = ''] = await deliveriesTo('https://example.com/hook', other.accountId, 1);
  expect(await testEnv.client.workflow.getHandle(id).result()).toEqual({ delivered: true });
  expect(waiting).toBeGreaterThanOrEqual(40);

  release();
  const [first = ''] = held;
  expect(await testEnv.client.workflow.getHandle(first).result()).toEqual({ delivered: true });
  expect(mostWaiting).toBe(40);
});
