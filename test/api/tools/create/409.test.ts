import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aTool, toolBody } from '../support.js';

// shows: tools.name
test('a name is there once on an account; another account has its own', async () => {
  const { name } = await aTool();

  const response = await api.post('/v1/tools', toolBody({ name }));

  expect({ status: response.status, body: response.body }).toEqual({
    status: 409,
    body: { error: expect.stringContaining(name) },
  });
  const { token } = await anAccount();
  expect((await api.post('/v1/tools', toolBody({ name }), { token })).status).toBe(201);
});

test('of tools of one name made at the same time exactly one is stored', async () => {
  const body = toolBody();
  const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await api.post('/v1/tools', body)).status));
  expect(statuses.sort()).toEqual([201, 409, 409, 409, 409]);
});
