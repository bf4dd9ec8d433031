import { expect, test } from 'vitest';
import { anAccount, anotherApp, api, here } from '../support.js';

test('an account that asks too fast is told when to come back; others are not held up', async () => {
  const { deps } = here();
  const env = { ...deps.env, OUTDIAL_RATE_LIMIT_PER_SECOND: 1, OUTDIAL_RATE_LIMIT_BURST: 3 };
  const app = await anotherApp({ env });
  const other = await anAccount();
  const answers = [];
  for (let request = 0; request < 4; request += 1) answers.push(await api.get('/v2/sip/phone-numbers', { app }));

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(answers[0]?.headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '2' });
  expect(answers[0]?.headers['ratelimit-reset']).toMatch(/^[1-3]$/);
  expect(answers[3]?.headers['retry-after']).toMatch(/^[1-3]$/);
  expect(answers[3]?.body).toEqual({ message: expect.any(String) });
  expect((await api.get('/v2/sip/phone-numbers', { app, token: other.token })).status).toBe(200);
  expect((await api.get('/healthz', { app, token: null })).status).toBe(200);
});
