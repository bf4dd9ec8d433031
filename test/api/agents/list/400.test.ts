import { expect, test } from 'vitest';
import { api } from '../../support.js';

test.each(['page=0', 'page=1.5', 'page=x', 'perPage=0', 'perPage=101', 'status=sleeping', 'search=%00'])(
  '?%s is refused with words',
  async (query) => {
    const { status, body } = await api.get(`/v1/agents?${query}`);
    expect(status).toBe(400);
    expect(body).toEqual({ error: expect.stringContaining(query.split('=')[0]!) });
  },
);

test('an unknown parameter is ignored', async () => {
  expect(await api.get('/v1/agents?colour=red')).toMatchObject({ status: 200 });
});
