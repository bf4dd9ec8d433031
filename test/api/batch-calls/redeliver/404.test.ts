import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aDelivery } from '../support-records.js';
import { aBatch } from '../support.js';

const ask = async (batchId: string, deliveryId: string) => {
  const { status, body } = await api.post(`/v1/batch-calls/${batchId}/webhook-deliveries/${deliveryId}/redeliver`);
  return { status, body };
};

test("another account's batch is not found, whatever the delivery", async () => {
  const { account } = await anAccount();
  const theirs = await aBatch({ accountId: account.id });
  const notFound = { status: 404, body: { message: 'Batch call not found' } };
  expect(await ask(theirs.batchId, await aDelivery(theirs.batchId))).toEqual(notFound);
  expect(await ask('nothing', 'nothing')).toEqual(notFound);
});

test('a delivery of another batch, and an unknown one, are not found in the same words', async () => {
  const [mine, other] = [await aBatch(), await aBatch()];
  const notFound = { status: 404, body: { message: 'Webhook delivery not found' } };
  expect(await ask(mine.batchId, await aDelivery(other.batchId))).toEqual(notFound);
  expect(await ask(mine.batchId, 'whd_019a0000-0000-7000-8000-000000000000')).toEqual(notFound);
});
