import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { webhookBody } from '../support.js';

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
