import { setImmediate } from 'node:timers/promises';
import { namesOf, recipientReader } from '../../contacts/recipients-to-contacts.js';
import type { RejectedRow } from '../../contacts/contacts.js';
import { lockCampaign } from '../../db/queries/campaigns/campaigns.js';
import { addWaiting, idsWaiting, type WaitingRecipient } from '../../db/queries/campaigns/recipients.js';
import { mostColumns } from '../../domain/batch/column-names.js';
import type { BatchForm } from '../../domain/batch/form.js';
import type { RecipientInput } from '../../domain/batch/recipients.js';
import { conflict } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { AddRecipients, problemsOfRecipients, RecipientsAdded } from '../batch-calls/add-recipients.js';
import { recipientsBody } from '../batch-calls/read-form.js';
import { withIdempotency } from '../idempotency.js';
import { operation } from '../operation.js';
import { invalidRequest } from '../validation.js';
import { campaignNotFound, campaignParams } from './schema.js';
import { formOfTemplate } from './template.js';

/** Recipients that wait for one run at most, and their size. */
const mostWaiting = 50_000;
const mostWaitingBytes = 20 * 1024 * 1024;

/** Recipients whose numbers are read in a few milliseconds. */
const judgedAtOnce = 500;

/** Judges the numbers as the batch call of a run will; what else it judges, such as the do-not-call list, it judges then. */
async function judged(sent: readonly RecipientInput[], { missingPlus, defaultCountry }: BatchForm) {
  const read = recipientReader({ duplicates: 'call', missingPlus, defaultCountry, withTimeZones: false });
  const taken: WaitingRecipient[] = [];
  const rejected: RejectedRow[] = [];
  for (const [index, each] of sent.entries()) {
    if (index % judgedAtOnce === 0) await setImmediate(); // else no other request had a turn meanwhile
    const { recipients, rejected: refused } = read([each], index);
    rejected.push(...refused);
    for (const { phoneNumber } of recipients) {
      taken.push({ phoneNumber, id: each.id ?? null, inputJson: JSON.stringify(each) });
    }
  }
  return { taken, rejected };
}

/** POST /v1/campaigns/{campaignId}/recipients */
export const addCampaignRecipients = operation({
  name: 'campaigns.addRecipients',
  method: 'POST',
  url: '/v1/campaigns/:campaignId/recipients',
  family: 'batch-calls',
  tag: 'Campaigns',
  idempotent: true,
  ...recipientsBody,
  schema: {
    summary: 'Add recipients to a campaign',
    description:
      'They wait for the next run, and are judged then as recipients of a batch call are; a number that cannot be read is ' +
      'refused here. One whose id waits already is skipped. After a run the id may be posted again and is called again: ' +
      `send an Idempotency-Key to repeat a request safely. At most ${mostWaiting} recipients, ` +
      `${mostWaitingBytes / 1024 / 1024} MB, wait (409).`,
    params: campaignParams,
    body: AddRecipients,
    bodyProblems: problemsOfRecipients,
    response: { 200: RecipientsAdded },
    errors: [409],
  },

  async handler(request, deps) {
    const { params, body, caller } = request;
    const { accountId } = caller;
    return withIdempotency(request, deps, body, async (tx) => {
      const campaign = await lockCampaign(tx, accountId, params.campaignId);
      if (campaign === null) throw campaignNotFound();
      const form = await formOfTemplate(tx, accountId, campaign.template, deps);
      const ids = body.recipients.flatMap(({ id }) => id ?? []);
      const present = await idsWaiting(tx, campaign.id, ids);
      const news = body.recipients
        .map((each, index) => ({ each, index }))
        .filter(({ each: { id } }) => id === undefined || !present.has(id));
      const { taken, rejected } = await judged(
        news.map(({ each }) => each),
        form,
      );
      const bytes = taken.reduce((sum, { inputJson }) => sum + Buffer.byteLength(inputJson), 0);
      if (campaign.waiting + taken.length > mostWaiting || Number(campaign.waiting_bytes) + bytes > mostWaitingBytes) {
        throw conflict(
          `${campaign.waiting} recipients wait for the next run, and at most ${mostWaiting}, ` +
            `${mostWaitingBytes / 1024 / 1024} MB, may. Run the campaign first.`,
        );
      }
      const names = [...new Set([...campaign.names, ...namesOf(news.map(({ each }) => each))])];
      if (names.length > mostColumns) {
        const message = `must have at most ${mostColumns} different names in all recipients who wait`;
        throw invalidRequest([{ path: 'recipients', code: 'OUT_OF_RANGE', message }]);
      }
      if (taken.length > 0) await addWaiting(tx, { accountId, campaignId: campaign.id }, taken, names);
      const alreadyPresent = body.recipients.length - news.length;
      const counts = { accepted: taken.length, alreadyPresent, rejected: rejected.length };
      await recordAudit(tx, caller, 'campaign.add-recipients', campaign.id, counts);
      const told = rejected.map(({ row, ...rest }) => ({ index: news[row - 1]?.index ?? 0, ...rest }));
      return { status: 200 as const, body: { accepted: taken.length, alreadyPresent, rejected: told } };
    });
  },
});
