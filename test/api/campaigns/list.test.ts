import { describe, expect, test } from 'vitest';
import { api } from '../support.js';
import { aCampaign } from './support.js';

describe('200', () => {
  test('campaigns are listed newest first, page by page', async () => {
    const [first, second] = [await aCampaign(), await aCampaign()];
    const page = (n: number) => api.get(`/v1/campaigns?perPage=1&page=${n}`);
    expect((await page(1)).body).toMatchObject({ pageInfo: { total: 2 }, data: [{ campaignId: second }] });
    expect((await page(2)).body).toMatchObject({ data: [{ campaignId: first }] });
  });
});
