import { lockCampaign, updateCampaign } from '../../db/queries/campaigns/campaigns.js';
import { recordAudit } from '../audit.js';
import { operation } from '../operation.js';
import { Campaign, campaignBody, campaignNotFound, campaignParams, UpdateCampaign } from './schema.js';
import { requireTemplate, templateProblems } from './template.js';

/** PATCH /v1/campaigns/{campaignId} */
export const changeCampaign = operation({
  name: 'campaigns.update',
  method: 'PATCH',
  url: '/v1/campaigns/:campaignId',
  family: 'batch-calls',
  tag: 'Campaigns',
  schema: {
    summary: 'Change a campaign',
    description:
      'Holds from the next run on; `template` is replaced as a whole. Batch calls that were made stay as they are.',
    params: campaignParams,
    body: UpdateCampaign,
    bodyProblems: templateProblems,
    response: { 200: Campaign },
  },

  async handler({ params: { campaignId }, body, caller }, deps) {
    const { accountId } = caller;
    const { name, cron, timezone, template } = body;
    const change = {
      ...(name === undefined ? {} : { name }),
      ...(cron === undefined ? {} : { cron }),
      ...(timezone === undefined ? {} : { timezone }),
      ...(template === undefined ? {} : { template }),
    };
    const row = await deps.database.db.transaction().execute(async (tx) => {
      if ((await lockCampaign(tx, accountId, campaignId)) === null) throw campaignNotFound();
      if (template !== undefined) await requireTemplate(tx, accountId, template, deps);
      await recordAudit(tx, caller, 'campaign.update', campaignId, { fields: Object.keys(change) });
      return updateCampaign(tx, accountId, campaignId, change);
    });
    if (row === null) throw campaignNotFound();
    deps.temporal.kick();
    return { status: 200, body: campaignBody(row) };
  },
});
