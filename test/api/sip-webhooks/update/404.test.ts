import { expect, test } from 'vitest';
import { anAccount, api, type RequestOptions } from '../../support.js';
import { aSipWebhook } from '../support.js';

const ask = (id: string, options: RequestOptions = {}) => {
  const path = `/v2/sip/webhooks/${id}`;
  return api.patch(path, { events: ['call-missed'] }, options);
};

test('a webhook of nobody and of another account is not found, in the same words', async () => {
  const id = await aSipWebhook();
  const { token } = await anAccount();
  const answers = [
    await ask(id, { token }),
    await ask('swh_00000000-0000-7000-8000-000000000000'),
    await ask('nonsense'),
  ];
  for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { message: 'Webhook not found' } });
  expect((await api.get(`/v2/sip/webhooks/${id}`)).status).toBe(200);
});
