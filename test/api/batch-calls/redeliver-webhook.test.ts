import { describe, expect, test } from 'vitest';
import { rowsOf } from '../support-resources.js';
import { api, here } from '../support.js';
import { aDelivery } from './support-records.js';
import { aBatch, outboxOf } from './support.js';

describe('202', () => {
  // shows: batches.redeliver
  test.each(['failed', 'delivered'])(
    'a delivery that is %s is made again under the same id, and keeps the attempts before',
    async (status) => {
      const { batchId } = await aBatch({ status: 'completed' });
      const deliveryId = await aDelivery(batchId, { status });
      const kicks = here().kicks;

      const response = await api.post(`/v1/batch-calls/${batchId}/webhook-deliveries/${deliveryId}/redeliver`);

      expect(response.status).toBe(202);
      expect(response.body).toMatchObject({
        deliveryId,
        status: 'pending',
        attempts: [{ number: 1 }, { number: 2, statusCode: 204 }],
      });
      expect(response.body).not.toHaveProperty('deliveredAt');
      const input = { accountId: here().me.account.id, deliveryId };
      expect(await outboxOf(deliveryId)).toEqual([{ kind: 'start', name: 'deliverWebhook', input }]);
      expect(here().kicks).toBe(kicks + 1);
      expect(await rowsOf('select action, details from audit_log where target = $1', [batchId])).toEqual([
        { action: 'batch-call.redeliver-webhook', details: { deliveryId } },
      ]);
    },
  );
});

describe('404', () => {
  const ask = async (batchId: string, deliveryId: string) => {
    const { status, body } = await api.post(`/v1/batch-calls/${batchId}/webhook-deliveries/${deliveryId}/redeliver`);
    return { status, body };
  };

  test('a delivery of another batch, and an unknown one, are not found in the same words', async () => {
    const [mine, other] = [await aBatch(), await aBatch()];
    const notFound = { status: 404, body: { message: 'Webhook delivery not found' } };
    expect(await ask(mine.batchId, await aDelivery(other.batchId))).toEqual(notFound);
    expect(await ask(mine.batchId, 'whd_019a0000-0000-7000-8000-000000000000')).toEqual(notFound);
  });
});

describe('409', () => {
  const redeliver = async (batchId: string, deliveryId: string) => {
    const { status, body } = await api.post(`/v1/batch-calls/${batchId}/webhook-deliveries/${deliveryId}/redeliver`);
    return { status, body };
  };

  test('a delivery that is under way is not asked for again', async () => {
    const { batchId } = await aBatch();
    const deliveryId = await aDelivery(batchId, { status: 'pending' });
    expect(await redeliver(batchId, deliveryId)).toEqual({
      status: 409,
      body: { error: expect.any(String) as unknown },
    });
    expect(await outboxOf(deliveryId)).toEqual([]);
  });

  test('of many who ask at the same time one is heard', async () => {
    const { batchId } = await aBatch();
    const deliveryId = await aDelivery(batchId, { status: 'failed' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeliver(batchId, deliveryId)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, ...Array.from({ length: 7 }, () => 409)]);
    expect(await outboxOf(deliveryId)).toHaveLength(1);
  });
});
