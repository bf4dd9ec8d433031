import { z } from 'zod';
import type { ContactFacts } from '../../db/queries/accounts/contacts.js';
import { asBatchStatus, batchStatuses } from '../../domain/batch/batch-call.js';
import { notFound } from '../../domain/errors.js';
import { CallDetail } from '../calls/schema.js';
import { DoNotCallEntry, doNotCallBody } from '../do-not-call/schema.js';
import { pageOf } from '../pagination.js';

export const contactParams = z.object({ e164: z.string().describe('The number, E.164 with the +') });

/** In the same words whether it is no number, or nothing of this account is about it. */
export const contactUnknown = () => notFound('Nothing is known of this number');

const ContactBatch = z.strictObject({
  batchId: z.string().describe('Id of the batch call'),
  batchName: z.string().describe('Its name'),
  status: z.enum(batchStatuses).describe('Its status'),
  calls: z.int().describe('Calls of the batch call to this number'),
});

const RejectedRow = z.strictObject({
  batchId: z.string().describe('Batch call that the file was uploaded for'),
  row: z.int().describe('As a spreadsheet shows it: the header is row 1'),
  value: z.string().describe('The cell as the file had it'),
  reason: z.string().describe('Why it is not called, as rejected-rows has it'),
  message: z.string().describe('The same as a sentence'),
});

const example = {
  phoneNumber: '+919877012345',
  doNotCall: { phoneNumber: '+919877012345', reason: 'Asked not to be called', createdAt: '2026-11-21T09:30:00.000Z' },
  batches: [
    { batchId: 'batch_0193c0de-7000-7000-8000-000000000001', batchName: 'Reminders', status: 'completed', calls: 1 },
  ],
  rejectedRows: [],
  pageInfo: { currentPage: 1, perPage: 20, lastPage: 1, total: 0 },
  data: [],
};

/** Everything about a number; its calls are the page's items. */
export const Contact = pageOf(CallDetail)
  .extend({
    phoneNumber: z.string().describe('The number, E.164'),
    doNotCall: DoNotCallEntry.optional().describe('Its entry on the do-not-call list'),
    batches: z.array(ContactBatch).describe('Batch calls that call it, the latest 100, newest first'),
    rejectedRows: z
      .array(RejectedRow)
      .describe(
        'Rows of uploaded files that hold it and are not called, the latest 100; also written without country code',
      ),
  })
  .meta({ id: 'Contact', examples: [example] });

export const contactFacts = (e164: string, { doNotCall, batches, rejectedRows }: ContactFacts) => ({
  phoneNumber: e164,
  ...(doNotCall === null ? {} : { doNotCall: doNotCallBody(doNotCall) }),
  batches: batches.map(({ id, name, status, calls }) => ({
    batchId: id,
    batchName: name,
    status: asBatchStatus(status),
    calls,
  })),
  rejectedRows: rejectedRows.map((row) => ({ ...row })),
});
