import { deleteCampaign } from '../../db/queries/campaigns/campaigns.js';
import { recordAudit } from '../audit.js';
import { doneWith } from '../done.js';
import { operation } from '../operation.js';
import { campaignNotFound, campaignParams } from './schema.js';

const message = 'The campaign has been deleted';

/** DELETE /v1/campaigns/{campaignId} */
export const removeCampaign = operation({
  name: 'campaigns.delete',
  method: 'DELETE',
  url: '/v1/campaigns/:campaignId',
  family: 'batch-calls',
  tag: 'Campaigns',
  schema: {
    summary: 'Delete a campaign',
    description:
      'With its list of runs and the recipients who wait: they are not called. Its batch calls stay and go on.',
    params: campaignParams,
    response: { 200: doneWith(message) },
  },

  async handler({ params: { campaignId }, caller }, { database: { db }, temporal }) {
    await db.transaction().execute(async (tx) => {
      if (!(await deleteCampaign(tx, caller.accountId, campaignId))) throw campaignNotFound();
      await recordAudit(tx, caller, 'campaign.delete', campaignId);
    });
    temporal.kick();
    return { status: 200, body: { message } };
  },
});
