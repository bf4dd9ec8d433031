import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aSipWebhook, webhookBody } from '../support.js';

interface Hook {
  readonly url: string;
  readonly events: string[];
  readonly updatedAt: string;
}
const patch = (id: string, body: object) => api.patch(`/v2/sip/webhooks/${id}`, body);
const get = async (id: string) => (await api.get(`/v2/sip/webhooks/${id}`)).body as Hook;

// shows: sip-webhooks.crud
test('what is sent is changed, the rest stays', async () => {
  const id = await aSipWebhook();
  const events = await patch(id, { events: ['call-missed'] });
  expect(events).toMatchObject({ status: 200, body: { id, url: webhookBody().url, events: ['call-missed'] } });
  const url = 'https://hooks.example.com/elsewhere';
  expect((await patch(id, { url })).body).toMatchObject({ id, url, events: ['call-missed'] });
  expect(await get(id)).toMatchObject({ url, events: ['call-missed'] });
});

test('what was got may be sent back with a change in it', async () => {
  const id = await aSipWebhook();
  const response = await patch(id, { ...(await get(id)), events: ['call-hangup'] });
  expect(response).toMatchObject({ status: 200, body: { events: ['call-hangup'] } });
});

test('an empty change changes nothing', async () => {
  const id = await aSipWebhook();
  const { url, events } = await get(id);
  expect(await patch(id, {})).toMatchObject({ status: 200, body: { url, events } });
});
