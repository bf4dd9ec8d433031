import { expect, test } from 'vitest';
import { api } from '../../support.js';

test('an order that is not understood resumes nothing', async () => {
  await api.post('/v1/account/stop-dialing');
  expect((await api.post('/v1/account/resume-dialing', { when: 'now' })).status).toBe(400);
  expect((await api.get('/v1/account/guardrails')).body).toMatchObject({ dialingStopped: true });
});
