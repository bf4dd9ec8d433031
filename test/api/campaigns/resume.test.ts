import { describe, expect, test } from 'vitest';
import { api } from '../support.js';
import { aCampaign, shownOf } from './support.js';

describe('200', () => {
  test('a paused campaign runs again', async () => {
    const campaignId = await aCampaign();
    await api.post(`/v1/campaigns/${campaignId}/pause`, {});
    expect((await api.post(`/v1/campaigns/${campaignId}/resume`, {})).status).toBe(200);
    expect(await shownOf(campaignId)).toMatchObject({ status: 'active' });
  });
});
