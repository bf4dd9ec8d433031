import type { Operation } from '../operation.js';
import { addCampaignRecipients } from './add-recipients.js';
import { createCampaign } from './create.js';
import { removeCampaign } from './delete.js';
import { getCampaign } from './get.js';
import { listCampaignRuns } from './list-runs.js';
import { listCampaignsOfAccount } from './list.js';
import { pauseCampaign } from './pause.js';
import { resumeCampaign } from './resume.js';
import { runCampaignNow } from './run.js';
import { changeCampaign } from './update.js';

export const campaignOperations: readonly Operation[] = [
  createCampaign,
  listCampaignsOfAccount,
  getCampaign,
  changeCampaign,
  removeCampaign,
  addCampaignRecipients,
  pauseCampaign,
  resumeCampaign,
  runCampaignNow,
  listCampaignRuns,
];
