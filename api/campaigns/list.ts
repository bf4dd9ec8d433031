import { z } from 'zod';
import { listCampaigns } from '../../db/queries/campaigns/campaigns.js';
import { operation } from '../operation.js';
import { pageBody, pageOf, pageQuery, rowsOfPage } from '../pagination.js';
import { Campaign, campaignBody } from './schema.js';

/** GET /v1/campaigns */
export const listCampaignsOfAccount = operation({
  name: 'campaigns.list',
  method: 'GET',
  url: '/v1/campaigns',
  family: 'batch-calls',
  tag: 'Campaigns',
  schema: {
    summary: 'List campaigns',
    description: 'Newest first.',
    query: z.object(pageQuery),
    response: { 200: pageOf(Campaign) },
  },

  async handler({ query, caller }, { database }) {
    const { total, rows } = await listCampaigns(database.db, caller.accountId, rowsOfPage(query));
    return { status: 200, body: pageBody(query, total, rows.map(campaignBody)) };
  },
});
