import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aPerson } from '../support.js';

test('a page that cannot be is refused', async () => {
  const response = await api.get(`/v1/contacts/${aPerson()}?perPage=1000`);
  expect(response.status).toBe(400);
  expect(response.body).toMatchObject({ errors: [expect.stringMatching(/^perPage/)] });
});
