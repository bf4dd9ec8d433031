import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aFolder } from '../support.js';

test('recursive is true or false, and nothing is deleted where it is neither', async () => {
  const url = `/v1/knowledge-base-folders/${(await aFolder()).folderId}`;
  const response = await api.delete(`${url}?recursive=yes`);
  expect({ status: response.status, body: response.body }).toEqual({
    status: 400,
    body: { error: expect.any(String) },
  });
  expect((await api.get(url)).status).toBe(200);
});
