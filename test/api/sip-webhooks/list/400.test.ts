import { expect, test } from 'vitest';
import { api } from '../../support.js';

test.each(['page=0', 'page=x', 'perPage=0', 'perPage=101'])('%s is refused', async (query) => {
  expect((await api.get(`/v2/sip/webhooks?${query}`)).status).toBe(400);
});
