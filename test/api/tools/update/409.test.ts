import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aTool } from '../support.js';

test('a tool cannot take the name of another', async () => {
  const [one, other] = [await aTool(), await aTool()];
  const response = await api.patch(`/v1/tools/${one.toolId}`, { name: other.name });
  expect({ status: response.status, body: response.body }).toEqual({
    status: 409,
    body: { error: expect.stringContaining(other.name) },
  });
  expect((await api.patch(`/v1/tools/${one.toolId}`, { name: one.name })).status).toBe(200);
});
