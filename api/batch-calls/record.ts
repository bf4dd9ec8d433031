import { z } from 'zod';
import type { Db } from '../../db/client.js';
import { findRecord, type RecordRow } from '../../db/queries/batches/records.js';
import { answeredByValues, recordStatuses } from '../../domain/call/call.js';
import { notFound } from '../../domain/errors.js';
import { formatId, uuidOf } from '../../domain/ids.js';
import { analysisBody, analysisFields } from '../analysis-fields.js';
import { calledBackBy } from '../calls/called-back.js';
import { Cost, costBody } from '../cost.js';
import { instant } from '../fields.js';
import { endReason } from '../reasons.js';
import { batchIdParams } from './schema.js';

/** Path of an operation on one record. */
export const recordParams = batchIdParams.extend({ recordId: z.string().describe('Id of the record, `rec_…`') });

/** In the same words whether it never was, is another batch's, or is not even an id. */
export const unknownRecord = () => notFound('Record not found');

/** Why a recipient who was called is called no more, whenever that would be. */
export const obstaclesToAnyCall = {
  undialed: 'The call was ended before it could be dialed; add the recipient again with POST …/recipients',
  not_running: 'The batch call is not running; POST …/retry makes a new one from the recipients of a finished one',
  gone: 'The data of the recipient have been deleted',
  do_not_call: 'The number is on your do-not-call list. Take it off the list first',
} as const;

/**
 * The bare UUID of the call that a record is of.
 *
 * @throws Failure `not_found` if it is no id of a record
 */
export function callIdOfRecord(recordId: string): string {
  const callId = uuidOf('record', recordId);
  if (callId === null) throw unknownRecord();
  return callId;
}

/**
 * A record as it stands.
 *
 * @param callId the bare UUID
 * @throws Failure `not_found`
 */
export async function requireRecord(db: Db, accountId: string, batchId: string, callId: string): Promise<RecordRow> {
  const record = await findRecord(db, accountId, batchId, callId);
  if (record === null) throw unknownRecord();
  return record;
}

/** A recipient of a batch, as lists have it. */
export const BatchRecord = z
  .strictObject({
    recordId: z.string().describe('`rec_…`; the call has the same UUID'),
    id: z.string().optional().describe('Your own id of the recipient, if it was sent as JSON with one'),
    phoneNumber: z.string().describe('Number called, E.164'),
    // Not a zod record: that would drop a column called __proto__.
    metadata: z
      .unknown()
      .meta({ type: 'object', additionalProperties: true })
      .describe('The other columns of the row, as texts; of a recipient sent as JSON, its metadata'),
    status: z
      .enum(recordStatuses)
      .describe(
        'pending, dialing, in-progress and retrying go on; answered means that it ended well; the others are final too',
      ),
    callId: z.string().describe('`call_…`'),
    reason: endReason().optional().describe('Why it ended with this status'),
    preDialReason: z.string().optional().describe('Of `pre_dial_refused`: what the endpoint said'),
    sipStatusCode: z.int().optional().describe("The carrier's answer to the latest attempt"),
    answeredBy: z.enum(answeredByValues).optional().describe('Who picked up, of answered calls'),
    ...analysisFields,
    variant: z.string().optional().describe('versionId or agentId of it'),
    priority: z.int().optional().describe('1 is called first, 9 last; omitted: 5'),
    notBefore: instant().optional().describe('Not dialed before'),
    attempts: z.int().describe('Times that the number has been dialed'),
    nextAttemptAt: instant()
      .optional()
      .describe('When it will be called again, of those that are retrying; of a pending one its notBefore'),
    callback: z
      .boolean()
      .optional()
      .describe('True if that call was promised, by POST …/callback or by the agent; omitted: it was not'),
    calledBackBy: calledBackBy(),
    callDuration: z.number().optional().describe('Seconds from the answer to the end'),
    cost: Cost.optional().describe('Of its attempts that are over; omitted if none was priced'),
    endedAt: instant().optional().describe('When the call was over'),
    createdAt: instant().describe('When the row was read'),
    updatedAt: instant().describe('When the record last changed'),
  })
  .meta({
    id: 'BatchRecord',
    examples: [
      {
        recordId: 'rec_0198f6f4-2f10-7e5a-8c21-9b0a1c2d3e4f',
        phoneNumber: '+14155550123',
        metadata: { first_name: 'Asha' },
        status: 'answered',
        callId: 'call_0198f6f4-2f10-7e5a-8c21-9b0a1c2d3e4f',
        sipStatusCode: 200,
        answeredBy: 'human',
        attempts: 1,
        callDuration: 54.2,
        createdAt: '2026-03-02T08:05:12.004Z',
        updatedAt: '2026-03-02T17:31:02.100Z',
      },
    ],
  });

export const recordBody = (row: RecordRow): z.output<typeof BatchRecord> => ({
  recordId: formatId('record', row.id),
  ...(row.recipientId === null ? {} : { id: row.recipientId }),
  phoneNumber: row.phoneNumber,
  metadata: row.metadata,
  status: row.status,
  callId: formatId('call', row.id),
  ...(row.reason === null ? {} : { reason: row.reason }),
  ...(row.preDialReason === null ? {} : { preDialReason: row.preDialReason }),
  ...(row.sipStatusCode === null ? {} : { sipStatusCode: row.sipStatusCode }),
  ...(row.answeredBy === null || row.status !== 'answered' ? {} : { answeredBy: row.answeredBy }),
  ...analysisBody(row),
  ...(row.variant === null ? {} : { variant: row.variant }),
  ...(row.priority === null ? {} : { priority: row.priority }),
  ...(row.notBefore === null ? {} : { notBefore: row.notBefore.toISOString() }),
  attempts: row.attempts,
  ...(row.nextAttemptAt === null ? {} : { nextAttemptAt: row.nextAttemptAt.toISOString() }),
  ...(row.callback ? { callback: true } : {}),
  ...(row.calledBackBy === null ? {} : { calledBackBy: formatId('call', row.calledBackBy) }),
  ...(row.talkSeconds === null ? {} : { callDuration: Math.round(row.talkSeconds * 1000) / 1000 }),
  ...costBody(row.cost, row.currency),
  ...(row.endedAt === null ? {} : { endedAt: row.endedAt.toISOString() }),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
