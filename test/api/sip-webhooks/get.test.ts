import { describe, expect, test } from 'vitest';
import { api } from '../support.js';
import { webhookBody } from './support.js';

describe('200', () => {
  // shows: sip-webhooks.crud
  test('a webhook is answered as it was made', async () => {
    const made = await api.post('/v2/sip/webhooks', webhookBody());
    const { id } = made.body as { id: string };
    expect(await api.get(`/v2/sip/webhooks/${id}`)).toMatchObject({ status: 200, body: made.body });
  });
});
