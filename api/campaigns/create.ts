import { v7 as uuidv7 } from 'uuid';
import { insertCampaign, mostCampaigns } from '../../db/queries/campaigns/campaigns.js';
import { conflict } from '../../domain/errors.js';
import { formatId } from '../../domain/ids.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { operation } from '../operation.js';
import { Campaign, campaignBody, CreateCampaign } from './schema.js';
import { requireTemplate, templateProblems } from './template.js';

/** POST /v1/campaigns */
export const createCampaign = operation({
  name: 'campaigns.create',
  method: 'POST',
  url: '/v1/campaigns',
  family: 'batch-calls',
  tag: 'Campaigns',
  idempotent: true,
  schema: {
    summary: 'Create a recurring campaign',
    description:
      'At each time of `cron` it makes a batch call by the template from the recipients that were posted since the last ' +
      'run. Where clocks change, Temporal decides: a time that they skip mostly does not come, and around an hour that ' +
      'they show twice a run may come again and find nobody. A run that the service cannot make within an hour is left out: those ' +
      `who wait are called by the next one. At most ${mostCampaigns} for an account (409).`,
    body: CreateCampaign,
    bodyProblems: templateProblems,
    response: { 201: Campaign },
    errors: [404, 409],
  },

  async handler(request, deps) {
    const { body, caller } = request;
    const { accountId } = caller;
    const answer = await withIdempotency(request, deps, body, async (tx) => {
      await requireTemplate(tx, accountId, body.template, deps);
      const row = await insertCampaign(tx, accountId, formatId('campaign', uuidv7()), body);
      if (row === null) throw conflict(`An account has at most ${mostCampaigns} campaigns`);
      await recordAudit(tx, caller, 'campaign.create', row.id, { name: row.name });
      return { status: 201 as const, body: campaignBody(row) };
    });
    deps.temporal.kick();
    return answer;
  },
});
