import { describe, expect, test } from 'vitest';
import { anAccount, api } from '../support.js';
import { aCampaign } from './support.js';

describe('200', () => {
  test('a campaign is answered to its account alone', async () => {
    const campaignId = await aCampaign();
    expect((await api.get(`/v1/campaigns/${campaignId}`)).body).toMatchObject({ campaignId, waiting: 0 });
    const { token } = await anAccount();
    expect((await api.get(`/v1/campaigns/${campaignId}`, { token })).status).toBe(404);
  });
});
