import { describe, expect, test } from 'vitest';
import { api } from '../support.js';
import { aCampaign } from './support.js';

describe('200', () => {
  test('runs are listed newest first', async () => {
    const campaignId = await aCampaign();
    const run = async () => ((await api.post(`/v1/campaigns/${campaignId}/run`, {})).body as { dueAt: string }).dueAt;
    const [first, second] = [await run(), await run()];
    const { body } = await api.get(`/v1/campaigns/${campaignId}/runs`);
    expect(body).toMatchObject({ pageInfo: { total: 2 }, data: [{ dueAt: second }, { dueAt: first }] });
  });
});
