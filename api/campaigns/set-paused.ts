import { lockCampaign, updateCampaign } from '../../db/queries/campaigns/campaigns.js';
import { recordAudit } from '../audit.js';
import type { AppDeps, Caller } from '../operation.js';
import { campaignBody, campaignNotFound } from './schema.js';

/** Pauses or resumes a campaign; one that is as wanted stays as it is. @throws Failure `not_found` */
export async function setPaused(
  { database, temporal }: Pick<AppDeps, 'database' | 'temporal'>,
  caller: Caller,
  campaignId: string,
  paused: boolean,
) {
  const { accountId } = caller;
  const row = await database.db.transaction().execute(async (tx) => {
    const before = await lockCampaign(tx, accountId, campaignId);
    if (before === null || before.paused === paused) return before;
    await recordAudit(tx, caller, paused ? 'campaign.pause' : 'campaign.resume', campaignId);
    return updateCampaign(tx, accountId, campaignId, { paused });
  });
  if (row === null) throw campaignNotFound();
  temporal.kick();
  return { status: 200 as const, body: campaignBody(row) };
}
