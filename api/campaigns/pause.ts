import { operation } from '../operation.js';
import { Campaign, campaignParams } from './schema.js';
import { setPaused } from './set-paused.js';

/** POST /v1/campaigns/{campaignId}/pause */
export const pauseCampaign = operation({
  name: 'campaigns.pause',
  method: 'POST',
  url: '/v1/campaigns/:campaignId/pause',
  family: 'batch-calls',
  tag: 'Campaigns',
  schema: {
    summary: 'Pause a campaign',
    description:
      'It does not run by itself until it is resumed; it takes recipients, and batch calls that it made go on.',
    params: campaignParams,
    response: { 200: Campaign },
  },

  handler: ({ params, caller }, deps) => setPaused(deps, caller, params.campaignId, true),
});
