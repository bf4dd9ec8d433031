import { z } from 'zod';
import { findCampaign } from '../../db/queries/campaigns/campaigns.js';
import { listRuns } from '../../db/queries/campaigns/runs.js';
import { operation } from '../operation.js';
import { pageBody, pageOf, pageQuery, rowsOfPage } from '../pagination.js';
import { campaignNotFound, campaignParams, CampaignRun, runBody } from './schema.js';

/** GET /v1/campaigns/{campaignId}/runs */
export const listCampaignRuns = operation({
  name: 'campaigns.listRuns',
  method: 'GET',
  url: '/v1/campaigns/:campaignId/runs',
  family: 'batch-calls',
  tag: 'Campaigns',
  schema: {
    summary: 'List the runs of a campaign',
    description: 'Newest first, those without a batch call included.',
    params: campaignParams,
    query: z.object(pageQuery),
    response: { 200: pageOf(CampaignRun) },
  },

  async handler({ params: { campaignId }, query, caller }, { database: { db } }) {
    if ((await findCampaign(db, caller.accountId, campaignId)) === null) throw campaignNotFound();
    const { total, rows } = await listRuns(db, caller.accountId, campaignId, rowsOfPage(query));
    return { status: 200, body: pageBody(query, total, rows.map(runBody)) };
  },
});
