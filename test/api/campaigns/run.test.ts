import { describe, expect, test } from 'vitest';
import { rowsOf } from '../support-resources.js';
import { api } from '../support.js';
import { aCampaign } from './support.js';

describe('200', () => {
  test('a run is stored as asked for with the order to carry it out; repeated with its key it is the same run', async () => {
    const campaignId = await aCampaign();
    const headers = { 'idempotency-key': `run-${campaignId}` };
    const run = () => api.post(`/v1/campaigns/${campaignId}/run`, {}, { headers });
    const [first, again] = [await run(), await run()];
    expect(first.body).toMatchObject({ manual: true, outcome: 'asked', recipients: 0 });
    expect(again.body).toEqual(first.body);
    const { dueAt } = first.body as { dueAt: string };
    expect(
      await rowsOf(`select workflow_id from outbox where name = 'runCampaign' and input ->> 'campaignId' = $1`, [
        campaignId,
      ]),
    ).toEqual([{ workflow_id: `${campaignId}/run-${dueAt}` }]);
  });
});
