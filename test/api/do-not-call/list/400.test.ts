import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { url } from '../support.js';

test('a page that cannot be is named', async () => {
  const response = await api.get(`${url}?page=0&perPage=101`);
  expect(response.status).toBe(400);
  const { errors } = response.body as { errors: string[] };
  expect(errors.map((line) => line.split(':')[0])).toEqual(['page', 'perPage']);
});
