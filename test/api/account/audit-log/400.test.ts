import { expect, test } from 'vitest';
import { api } from '../../support.js';

test.each(['startDate=yesterday', 'endDate=-1', 'perPage=0', 'page=x', 'target=a&target=b'])(
  '%s is refused by its name',
  async (query) => {
    const response = await api.get(`/v1/account/audit-log?${query}`);
    const [name] = query.split('=');
    expect(response).toMatchObject({ status: 400, body: { errors: [expect.stringMatching(`^${name!}: `)] } });
  },
);
