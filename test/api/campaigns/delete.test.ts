import { describe, expect, test } from 'vitest';
import { rowsOf } from '../support-resources.js';
import { api } from '../support.js';
import { aCampaign, post } from './support.js';

describe('200', () => {
  test('a campaign is gone with who waits and with its schedule', async () => {
    const campaignId = await aCampaign();
    await post(campaignId, [{ phoneNumber: '+14155550123' }]);
    expect((await api.delete(`/v1/campaigns/${campaignId}`)).status).toBe(200);
    expect((await api.get(`/v1/campaigns/${campaignId}`)).status).toBe(404);
    expect(await rowsOf('select 1 from campaign_recipients where campaign_id = $1', [campaignId])).toEqual([]);
    expect(await rowsOf('select 1 from outbox where workflow_id = $1', [`${campaignId}/schedule-2`])).toHaveLength(1);
    expect((await api.delete(`/v1/campaigns/${campaignId}`)).status).toBe(404);
  });
});
