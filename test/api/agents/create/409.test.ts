import { expect, test } from 'vitest';
import { anotherApp, api } from '../../support.js';
import { minimal } from '../support.js';

// shows: idempotency.in-flight
test('a second request with the key of one that is still being stored is told so, and creates nothing', async () => {
  const app = await anotherApp({ temporal: { kick: () => undefined, isReachable: () => Promise.resolve(false) } });
  const headers = { 'idempotency-key': 'pressed twice' };

  const answers = await Promise.all(Array.from({ length: 4 }, () => api.post('/v1/agents', minimal, { app, headers })));

  const refused = answers.filter(({ status }) => status === 409);
  expect(refused.map(({ body }) => body)).toEqual(refused.map(() => ({ error: expect.any(String) })));
  const ids = answers.filter(({ status }) => status === 201).map(({ body }) => (body as { agentId: string }).agentId);
  expect(refused.length + ids.length).toBe(4);
  expect(new Set(ids).size).toBe(1);
  expect(await api.get('/v1/agents')).toMatchObject({ body: { pageInfo: { total: 1 } } });
});
