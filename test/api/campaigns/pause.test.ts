import { describe, expect, test } from 'vitest';
import { rowsOf } from '../support-resources.js';
import { api } from '../support.js';
import { aCampaign, post } from './support.js';

describe('200', () => {
  test('a paused campaign takes recipients; pausing again changes nothing', async () => {
    const campaignId = await aCampaign();
    const pause = () => api.post(`/v1/campaigns/${campaignId}/pause`, {});
    expect((await pause()).body).toMatchObject({ status: 'paused' });
    await pause();
    expect(await rowsOf('select revision from campaigns where id = $1', [campaignId])).toEqual([{ revision: 2 }]);
    expect((await post(campaignId, [{ phoneNumber: '+14155550123' }])).body).toMatchObject({ accepted: 1 });
  });
});
