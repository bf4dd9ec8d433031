import { expect, test } from 'vitest';
import { api, here } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aDelivery } from '../support-records.js';
import { aBatch, outboxOf } from '../support.js';

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
