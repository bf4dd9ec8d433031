import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { webhookActivities } from '../../../activities/webhook.js';
import { createLogger } from '../../../platform/logger.js';
import { rowsOf } from '../support-resources.js';
import { anAccount, anotherApp, api, here } from '../support.js';

describe('200', () => {
  interface Secrets {
    readonly secret: string;
    readonly previousSecret?: string;
    readonly previousValidUntil?: string;
  }

  const day = 24 * 3_600_000;

  const get = async (token: string, app = here().app) =>
    (await api.get('/v1/account/webhook-secret', { token, app })).body as Secrets;

  const rotate = async (token: string) => {
    const response = await api.post('/v1/account/webhook-secret/rotate', undefined, { token });
    expect(response.status).toBe(200);
    return response.body as Secrets;
  };

  // shows: account.rotate
  test('there is a new secret, and the one before it is valid for 24 hours more', async () => {
    const { token, account, key } = await anAccount();
    const before = await get(token);

    const rotated = await rotate(token);

    expect(rotated).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      previousSecret: before.secret,
      previousValidUntil: expect.any(String),
    });
    expect(rotated.secret).not.toBe(before.secret);
    expect(Math.abs(Date.parse(rotated.previousValidUntil!) - Date.now() - day)).toBeLessThan(60_000);
    expect(await get(token)).toEqual(rotated);
    const later = await anotherApp({ clock: () => new Date(Date.now() + day + 60_000) });
    expect(await get(token, later)).toEqual({ secret: rotated.secret });
    const entries = await rowsOf('select key_id, action, details from audit_log where target = $1', [account.id]);
    expect(entries).toEqual([{ key_id: key.id, action: 'webhook-secret.rotate', details: {} }]);
  });

  test('rotated again, the oldest one ends: signatures are made with two at most', async () => {
    const { token } = await anAccount();
    const { previousSecret: first, secret: second } = await rotate(token);

    const again = await rotate(token);

    expect(again.previousSecret).toBe(second);
    expect(JSON.stringify(again)).not.toContain(first);
  });

  // shows: webhooks.rotation
  test('a delivery after a rotation satisfies receivers that know either secret', async () => {
    const { token, account } = await anAccount();
    const { secret, previousSecret } = await rotate(token);
    await rowsOf(
      `insert into webhook_deliveries (id, account_id, event, endpoint, payload)
     values ('whd_1', $1, 'batchcall-started', 'https://example.com', '{"event":"batchcall-started"}')`,
      [account.id],
    );
    const sent: Record<string, string>[] = [];
    const activities = webhookActivities({
      database: here().database,
      secretBox: here().deps.secretBox,
      logger: createLogger('worker', 'silent'),
      fetchOutside: async (_url, init) => {
        sent.push({ ...(init?.headers as Record<string, string>) });
        return new Response(null, { status: 204 });
      },
    } as Parameters<typeof webhookActivities>[0]);

    expect(await activities.tryDelivery({ accountId: account.id, deliveryId: 'whd_1' })).toBe(true);

    for (const known of [secret, previousSecret!]) {
      expect(new Webhook(known).verify('{"event":"batchcall-started"}', sent[0]!)).toEqual({
        event: 'batchcall-started',
      });
    }
  });
});

describe('400', () => {
  test.each(['{"secret":"whsec_mine"}', '[]', '{'])('%s is no body of it, and nothing is rotated', async (body) => {
    const before = await api.get('/v1/account/webhook-secret');
    const response = await api.post('/v1/account/webhook-secret/rotate', body);
    expect(response).toMatchObject({ status: 400, body: { error: expect.any(String), errors: [expect.any(String)] } });
    expect((await api.get('/v1/account/webhook-secret')).text).toBe(before.text);
  });
});

describe('409', () => {
  test('of requests with one key at the same time, one is done and the others are told so', async () => {
    const headers = { 'idempotency-key': 'at the same time' };

    const answers = await Promise.all(
      Array.from({ length: 4 }, () => api.post('/v1/account/webhook-secret/rotate', {}, { headers })),
    );

    const done = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 409);
    expect(done.length + refused.length).toBe(4);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const { body } of refused) expect(body).toEqual({ error: expect.any(String) });
  });
});

describe('422', () => {
  test('an Idempotency-Key that was used for something else rotates nothing', async () => {
    const headers = { 'idempotency-key': 'one' };
    await api.post('/v1/account/keys', {}, { headers });
    const before = await api.get('/v1/account/webhook-secret');
    const response = await api.post('/v1/account/webhook-secret/rotate', {}, { headers });
    expect(response).toMatchObject({ status: 422, body: { error: expect.any(String) } });
    expect((await api.get('/v1/account/webhook-secret')).text).toBe(before.text);
  });
});
