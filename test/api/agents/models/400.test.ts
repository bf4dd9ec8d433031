import { expect, test } from 'vitest';
import { api } from '../../support.js';

test('an unknown kind is refused', async () => {
  expect(await api.get('/v1/models?kind=video')).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('kind') },
  });
});
