import { lockCampaign } from '../../db/queries/campaigns/campaigns.js';
import { askForRun } from '../../db/queries/campaigns/runs.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { operation } from '../operation.js';
import { campaignNotFound, campaignParams, CampaignRun, runBody } from './schema.js';

/** POST /v1/campaigns/{campaignId}/run */
export const runCampaignNow = operation({
  name: 'campaigns.run',
  method: 'POST',
  url: '/v1/campaigns/:campaignId/run',
  family: 'batch-calls',
  tag: 'Campaigns',
  idempotent: true,
  schema: {
    summary: 'Run a campaign now',
    description:
      'Makes a batch call from those who wait, beside the schedule, which goes on as it is; a paused campaign stays paused. ' +
      'The run is answered as it is asked for: the list of runs says what it came to.',
    params: campaignParams,
    response: { 200: CampaignRun },
  },

  async handler(request, deps) {
    const { params, caller } = request;
    const { accountId } = caller;
    const answer = await withIdempotency(request, deps, {}, async (tx) => {
      const campaign = await lockCampaign(tx, accountId, params.campaignId);
      if (campaign === null) throw campaignNotFound();
      const run = await askForRun(tx, { accountId, campaignId: campaign.id, dueAt: deps.clock() });
      await recordAudit(tx, caller, 'campaign.run', campaign.id);
      return { status: 200 as const, body: runBody(run) };
    });
    deps.temporal.kick();
    return answer;
  },
});
