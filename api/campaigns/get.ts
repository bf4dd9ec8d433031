import { findCampaign } from '../../db/queries/campaigns/campaigns.js';
import { operation } from '../operation.js';
import { Campaign, campaignBody, campaignNotFound, campaignParams } from './schema.js';

/** GET /v1/campaigns/{campaignId} */
export const getCampaign = operation({
  name: 'campaigns.get',
  method: 'GET',
  url: '/v1/campaigns/:campaignId',
  family: 'batch-calls',
  tag: 'Campaigns',
  schema: {
    summary: 'Get a campaign',
    description: 'As in the list.',
    params: campaignParams,
    response: { 200: Campaign },
  },

  async handler({ params, caller }, { database }) {
    const row = await findCampaign(database.db, caller.accountId, params.campaignId);
    if (row === null) throw campaignNotFound();
    return { status: 200, body: campaignBody(row) };
  },
});
