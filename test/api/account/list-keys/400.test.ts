import { expect, test } from 'vitest';
import { api } from '../../support.js';

test.each(['active=yes', 'perPage=101', 'page=0'])('%s is refused by its name', async (query) => {
  const response = await api.get(`/v1/account/keys?${query}`);
  const [name] = query.split('=');
  expect(response).toMatchObject({ status: 400, body: { errors: [expect.stringMatching(`^${name!}: `)] } });
});
