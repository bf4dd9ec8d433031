import { expect, test } from 'vitest';
import { anotherApp, api, here } from '../../support.js';
import { webhookBody } from '../support.js';

// shows: sip-webhooks.url
test.each([
  [{ url: undefined }, 'url'],
  [{ url: 'hooks' }, 'url'],
  [{ url: 'http://hooks.example.com/calls' }, 'url'],
  [{ url: 'https://127.0.0.1/calls' }, 'url'],
  [{ url: 'https://10.0.0.7/calls' }, 'url'],
  [{ url: 'https://user:secret@hooks.example.com/' }, 'url'],
  [{ events: undefined }, 'events'],
  [{ events: [] }, 'events'],
  [{ events: ['call-exploded'] }, 'events[0]'],
  [{ events: ['call-missed', 'call-missed'] }, 'events'],
  [{ secret: 'x' }, 'secret'],
])('%j is refused, naming the field', async (change, field) => {
  const response = await api.post('/v2/sip/webhooks', webhookBody(change));
  expect(response.status).toBe(400);
  const { errors } = response.body as { errors: string[] };
  expect(errors.map((each) => each.slice(0, each.indexOf(': ')))).toEqual([field]);
});

test('where the service allows it, http and loopback are taken', async () => {
  const env = { ...here().deps.env, OUTDIAL_ALLOW_INSECURE_WEBHOOKS: true, OUTDIAL_ALLOW_PRIVATE_WEBHOOKS: true };
  const app = await anotherApp({ env });
  const response = await api.post('/v2/sip/webhooks', webhookBody({ url: 'http://127.0.0.1:9000/x' }), { app });
  expect(response.status).toBe(201);
});
