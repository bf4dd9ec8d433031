import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { namesOf, recipientReader } from '../../contacts/recipients-to-contacts.js';
import type { ContactsChunk, Recipient, RejectedRow } from '../../contacts/contacts.js';
import type { Db } from '../../db/client.js';
import { agentTexts } from '../../db/queries/agents/texts.js';
import {
  addCalls,
  batchToGrow,
  type BatchToGrow,
  callsToNumbers,
  growingStatuses,
  idsPresent,
  lockRecipients,
} from '../../db/queries/batches/add-recipients.js';
import { numbersNotToCall } from '../../db/queries/batches/parse.js';
import { columnsSpoken } from '../../domain/agent-config/placeholders.js';
import { prioritiesOf } from '../../domain/batch/dialing-order.js';
import { mostColumns } from '../../domain/batch/column-names.js';
import { mostRecipients, readRecipients, RecipientInput } from '../../domain/batch/recipients.js';
import { conflict, invalid, type Problem } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { operation } from '../operation.js';
import { rejectedRowReason } from '../reasons.js';
import { valueAt } from '../validation.js';
import { batchCallNotFound } from './detail.js';
import { recipientsBody, requireSpokenLanguages } from './read-form.js';
import { batchIdParams } from './schema.js';

export const AddRecipients = z
  .strictObject({ recipients: z.array(RecipientInput).min(1).max(mostRecipients).describe('Who is to be called, too') })
  .meta({
    id: 'AddRecipients',
    examples: [{ recipients: [{ phoneNumber: '+14155550124', id: 'crm-8', metadata: { first_name: 'Ravi' } }] }],
  });

/** What is wrong with recipients that are added, each at its place. */
export function problemsOfRecipients(body: unknown): readonly Problem[] {
  const read = readRecipients(valueAt(body, ['recipients']));
  return 'problems' in read ? read.problems : [];
}

export const RecipientsAdded = z
  .strictObject({
    accepted: z.int().describe('Recipients that will be called'),
    alreadyPresent: z.int().describe('Recipients whose id the batch call has already; nothing was done about them'),
    rejected: z
      .array(
        z.strictObject({
          index: z.int().describe('Place in `recipients`, from 0'),
          id: z.string().optional().describe('Your own id of the recipient'),
          value: z.string().describe('What phoneNumber holds'),
          reason: rejectedRowReason().describe('Why the recipient is not called'),
          message: z.string().describe('What is wrong and how to correct it'),
        }),
      )
      .describe('Recipients that will not be called; they are told here and kept nowhere'),
  })
  .meta({
    id: 'RecipientsAdded',
    examples: [
      {
        accepted: 1,
        alreadyPresent: 0,
        rejected: [
          {
            index: 1,
            value: '4155550126',
            reason: 'missing_plus',
            message: 'has no + and country code; write +14155550126',
          },
        ],
      },
    ],
  });

/** Recipients whose numbers are read in a few milliseconds. */
const judgedAtOnce = 500;

const tooLate = 'A batch call that is being cancelled or is finished takes no more recipients';

/** Judges recipients by the rules of a batch's file, and by what the batch has already. */
async function judged(tx: Db, batch: BatchToGrow, sent: readonly RecipientInput[]) {
  const present = await idsPresent(
    tx,
    batch.batchId,
    sent.flatMap(({ id }) => id ?? []),
  );
  const texts = batch.onUnfilled === 'reject' ? await agentTexts(tx, batch.accountId, batch) : [];
  const { duplicates, missingPlus, defaultCountry } = batch;
  const read = recipientReader({
    ...{ duplicates, missingPlus, defaultCountry, withTimeZones: true },
    columnsToFill: columnsSpoken(texts),
  });
  const isNew = ({ id }: RecipientInput) => id === undefined || !present.has(id);
  const chunks: ContactsChunk[] = [];
  for (const [index, each] of sent.entries()) {
    if (index % judgedAtOnce === 0) await setImmediate(); // else no other request had a turn meanwhile
    if (isNew(each)) chunks.push(read([each], index));
  }
  const readable = chunks.flatMap(({ recipients }) => recipients);
  const rejected = chunks.flatMap((chunk) => chunk.rejected);

  const listed = await numbersNotToCall(
    tx,
    batch.accountId,
    readable.map(({ phoneNumber }) => phoneNumber),
  );
  // With duplicates=call an id of its own makes a recipient another one.
  const mayRepeat = readable.filter(({ id }) => duplicates === 'skip' || id === undefined);
  const known = new Set(
    (
      await callsToNumbers(
        tx,
        batch,
        mayRepeat.map(({ phoneNumber }) => phoneNumber),
      )
    )
      .filter(({ hasId }) => duplicates === 'skip' || !hasId)
      .map(({ phoneNumber, metadataJson }) => (duplicates === 'skip' ? phoneNumber : phoneNumber + metadataJson)),
  );
  const isKnown = ({ id, phoneNumber, metadataJson }: Recipient): boolean =>
    duplicates === 'skip' ? known.has(phoneNumber) : id === undefined && known.has(phoneNumber + metadataJson);
  const refusal = (recipient: Recipient): Pick<RejectedRow, 'reason' | 'message'> | null => {
    const { phoneNumber } = recipient;
    if (listed.has(phoneNumber)) {
      return {
        reason: 'do_not_call',
        message: `${phoneNumber} is on your do-not-call list. Take it off the list first.`,
      };
    }
    if (!isKnown(recipient)) return null;
    const message =
      duplicates === 'skip'
        ? `The batch call has ${phoneNumber} already, and each number is called once (duplicates=skip).`
        : `The batch call has this recipient already. To call ${phoneNumber} again, give it an id or other metadata.`;
    return { reason: 'duplicate', message };
  };
  const taken: Recipient[] = [];
  for (const recipient of readable) {
    const refused = refusal(recipient);
    const { row, id } = recipient;
    if (refused === null) taken.push(recipient);
    else {
      const value = sent[row - 1]?.phoneNumber ?? '';
      rejected.push({ row, ...(id === undefined ? {} : { id }), value, ...refused });
    }
  }
  return { taken, rejected: rejected.sort((a, b) => a.row - b.row), alreadyPresent: sent.length - chunks.length };
}

/** POST /v1/batch-calls/{batchId}/recipients */
export const addRecipients = operation({
  name: 'batchCalls.addRecipients',
  method: 'POST',
  url: '/v1/batch-calls/:batchId/recipients',
  family: 'batch-calls',
  tag: 'Batch calls',
  idempotent: true,
  ...recipientsBody,
  schema: {
    summary: 'Add recipients to a batch call',
    description:
      'While its status is parsing, scheduled or running; to have it wait for them, create it with `open` or set that ' +
      'by PATCH. They are judged as rows of a file are, and against what the batch call has. Repeating a request is ' +
      'harmless: a recipient whose id is there is skipped, and one without an id that is the same in number and ' +
      'metadata is a duplicate.',
    params: batchIdParams,
    body: AddRecipients,
    bodyProblems: problemsOfRecipients,
    response: { 200: RecipientsAdded },
    errors: [409],
  },

  async handler(request, deps) {
    const { params, body, caller } = request;
    const { accountId } = caller;
    const { batchId } = params;
    const answer = await withIdempotency(request, deps, body, async (tx) => {
      await lockRecipients(tx, accountId, batchId);
      const batch = await batchToGrow(tx, accountId, batchId);
      if (batch === null) throw batchCallNotFound();
      if (!growingStatuses.includes(batch.status)) throw conflict(tooLate);
      await requireSpokenLanguages(tx, accountId, batch, body.recipients);
      const { taken, rejected, alreadyPresent } = await judged(tx, batch, body.recipients);
      const names = namesOf(taken.map(({ row }) => body.recipients[row - 1] ?? { phoneNumber: '' }));
      if (new Set([...batch.columns, ...names]).size > mostColumns + 1) {
        const message = `must have at most ${mostColumns} different names in all recipients of the batch call`;
        throw invalid('The request is not valid', [{ path: 'recipients', code: 'OUT_OF_RANGE', message }]);
      }
      const asked = new Set(taken.flatMap(({ priority }) => priority ?? []));
      if (taken.length > 0 && !(await addCalls(tx, batch, taken, { names, priorities: prioritiesOf(asked) }))) {
        throw conflict(tooLate);
      }
      const counts = { accepted: taken.length, alreadyPresent, rejected: rejected.length };
      await recordAudit(tx, caller, 'batch-call.add-recipients', batchId, counts);
      const told = rejected.map(({ row, ...rest }) => ({ index: row - 1, ...rest }));
      return { status: 200 as const, body: { accepted: taken.length, alreadyPresent, rejected: told } };
    });
    deps.temporal.kick();
    return answer;
  },
});
