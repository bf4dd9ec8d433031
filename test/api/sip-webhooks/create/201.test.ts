import { expect, test } from 'vitest';
import { api, here } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { webhookBody } from '../support.js';

// shows: sip-webhooks.crud
test('a webhook is made, answered bare, and written into the audit log', async () => {
  const body = webhookBody({ events: ['call-missed', 'call-hangup'] });
  const response = await api.post('/v2/sip/webhooks', body);
  expect(response.status).toBe(201);
  expect(response.body).toEqual({
    id: expect.stringMatching(/^swh_[0-9a-f-]{36}$/),
    url: body.url,
    events: ['call-hangup', 'call-missed'],
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  });
  const { id } = response.body as { id: string };
  expect(await rowsOf('select action, key_id from audit_log where target = $1', [id])).toEqual([
    { action: 'sip-webhook.create', key_id: here().me.key.id },
  ]);
});
