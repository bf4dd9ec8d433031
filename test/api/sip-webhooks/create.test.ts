import { describe, expect, test } from 'vitest';
import { rowsOf } from '../support-resources.js';
import { anAccount, anotherApp, api, here } from '../support.js';
import { webhookBody } from './support.js';

describe('201', () => {
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
});

describe('400', () => {
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

  test('if the service allows it, http and loopback are taken', async () => {
    const env = { ...here().deps.env, OUTDIAL_ALLOW_INSECURE_WEBHOOKS: true, OUTDIAL_ALLOW_PRIVATE_WEBHOOKS: true };
    const app = await anotherApp({ env });
    const response = await api.post('/v2/sip/webhooks', webhookBody({ url: 'http://127.0.0.1:9000/x' }), { app });
    expect(response.status).toBe(201);
  });
});

describe('409', () => {
  test('an account has at most twenty, also where many are made at once', async () => {
    const { token } = await anAccount();
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => api.post('/v2/sip/webhooks', webhookBody(), { token })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.body).toEqual({ message: expect.stringContaining('20') });
  });
});

describe('422', () => {
  test('a key that was used for another webhook is refused; for the same one it creates no second webhook', async () => {
    const headers = { 'idempotency-key': 'one-hook' };
    const first = await api.post('/v2/sip/webhooks', webhookBody(), { headers });
    expect((await api.post('/v2/sip/webhooks', webhookBody(), { headers })).body).toEqual(first.body);
    const other = await api.post('/v2/sip/webhooks', webhookBody({ events: ['call-missed'] }), { headers });
    expect(other.status).toBe(422);
  });
});
