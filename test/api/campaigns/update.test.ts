import { describe, expect, test } from 'vitest';
import { rowsOf } from '../support-resources.js';
import { api } from '../support.js';
import { aCampaign, shownOf } from './support.js';

describe('200', () => {
  test('what is sent changes, the rest stays, and the schedule is told of each change', async () => {
    const campaignId = await aCampaign();
    const before = (await shownOf(campaignId)) as object;
    const response = await api.patch(`/v1/campaigns/${campaignId}`, { cron: '30 8 * * *', name: 'Mornings' });
    expect(response.body).toMatchObject({
      ...before,
      cron: '30 8 * * *',
      name: 'Mornings',
      updatedAt: expect.any(String),
    });
    const told = await rowsOf<{ workflow_id: string }>(
      `select workflow_id from outbox where name = 'scheduleCampaign' and input ->> 'campaignId' = $1 order by id`,
      [campaignId],
    );
    expect(told.map(({ workflow_id: id }) => id)).toEqual([1, 2].map((n) => `${campaignId}/schedule-${n}`));
  });

  test('a template that no batch call could be made from is refused, and the old one stays', async () => {
    const campaignId = await aCampaign();
    const before = await shownOf(campaignId);
    expect((await api.patch(`/v1/campaigns/${campaignId}`, { template: { phoneNumber: 'x' } })).status).toBe(400);
    expect(await shownOf(campaignId)).toEqual(before);
  });
});
