import { api } from '../support.js';
import { aRoute } from '../batch-calls/support.js';

/** Settings of a campaign that is accepted. */
export async function campaignBody(change: object = {}): Promise<object> {
  // A number of the caller's own stands in the template, if one is sent.
  const template = 'template' in change ? {} : { phoneNumber: (await aRoute()).phoneNumber };
  return {
    name: 'Missed appointments',
    cron: '0 9 * * 1-5',
    timezone: 'America/New_York',
    template,
    ...change,
  };
}

/** A campaign, made through the API. @returns its id */
export async function aCampaign(change: object = {}): Promise<string> {
  const response = await api.post('/v1/campaigns', await campaignBody(change));
  if (response.status !== 201) throw new Error(`No campaign: ${response.text}`);
  return (response.body as { campaignId: string }).campaignId;
}

/** Adds recipients of a campaign. */
export const post = (campaignId: string, recipients: readonly object[]) =>
  api.post(`/v1/campaigns/${campaignId}/recipients`, { recipients });

export const shownOf = async (campaignId: string) => (await api.get(`/v1/campaigns/${campaignId}`)).body;
