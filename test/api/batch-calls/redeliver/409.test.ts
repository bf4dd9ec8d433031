import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aDelivery } from '../support-records.js';
import { aBatch, outboxOf } from '../support.js';

const redeliver = async (batchId: string, deliveryId: string) => {
  const { status, body } = await api.post(`/v1/batch-calls/${batchId}/webhook-deliveries/${deliveryId}/redeliver`);
  return { status, body };
};

test('a delivery that is under way is not asked for again', async () => {
  const { batchId } = await aBatch();
  const deliveryId = await aDelivery(batchId, { status: 'pending' });
  expect(await redeliver(batchId, deliveryId)).toEqual({ status: 409, body: { error: expect.any(String) as unknown } });
  expect(await outboxOf(deliveryId)).toEqual([]);
});

test('of many who ask at the same time one is heard', async () => {
  const { batchId } = await aBatch();
  const deliveryId = await aDelivery(batchId, { status: 'failed' });
  const answers = await Promise.all(Array.from({ length: 8 }, () => redeliver(batchId, deliveryId)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, ...Array.from({ length: 7 }, () => 409)]);
  expect(await outboxOf(deliveryId)).toHaveLength(1);
});
