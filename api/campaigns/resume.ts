import { operation } from '../operation.js';
import { Campaign, campaignParams } from './schema.js';
import { setPaused } from './set-paused.js';

/** POST /v1/campaigns/{campaignId}/resume */
export const resumeCampaign = operation({
  name: 'campaigns.resume',
  method: 'POST',
  url: '/v1/campaigns/:campaignId/resume',
  family: 'batch-calls',
  tag: 'Campaigns',
  schema: {
    summary: 'Resume a campaign',
    description: 'It runs again from the next time of its schedule on. Runs that were due meanwhile are not made up.',
    params: campaignParams,
    response: { 200: Campaign },
  },

  handler: ({ params, caller }, deps) => setPaused(deps, caller, params.campaignId, false),
});
