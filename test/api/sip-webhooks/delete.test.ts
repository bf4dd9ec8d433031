import { describe, expect, test } from 'vitest';
import { rowsOf } from '../support-resources.js';
import { api } from '../support.js';
import { aSipWebhook } from './support.js';

describe('200', () => {
  // shows: sip-webhooks.crud
  test('a webhook is gone with what was still to be delivered to it; another keeps its own', async () => {
    const [id, other] = [await aSipWebhook(), await aSipWebhook()];
    for (const [index, webhook] of [id, other].entries()) {
      await rowsOf(
        `insert into webhook_deliveries (id, account_id, event, endpoint, payload, sip_webhook_id, attempt)
       select $1, account_id, 'call-missed', url, '{}', id, 1 from sip_webhooks where id = $2`,
        [`whd_${index}`, webhook],
      );
    }
    const response = await api.delete(`/v2/sip/webhooks/${id}`);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ message: expect.any(String) });
    expect((await api.get(`/v2/sip/webhooks/${id}`)).status).toBe(404);
    expect(await rowsOf('select sip_webhook_id from webhook_deliveries')).toEqual([{ sip_webhook_id: other }]);
  });
});
