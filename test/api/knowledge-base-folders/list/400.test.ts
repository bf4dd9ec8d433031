import { expect, test } from 'vitest';
import { api } from '../../support.js';

test.each(['page=0', 'perPage=101', 'perPage=x'])('%s is refused, not clamped', async (query) => {
  const response = await api.get(`/v1/knowledge-base-folders?${query}`);
  expect({ status: response.status, body: response.body }).toEqual({
    status: 400,
    body: { error: expect.any(String) },
  });
});
