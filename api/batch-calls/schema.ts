import { z } from 'zod';
import type { BatchRow } from '../../db/queries/batches/batches.js';
import { asBatchStatus, batchStatuses } from '../../domain/batch/batch-call.js';
import { asStoppedBy, stopNames, stops } from '../../domain/batch/stops.js';
import { recordStatuses, retryOutcomes, type RecordStatus, type RetryOutcome } from '../../domain/call/call.js';
import { instant } from '../fields.js';

export const batchIdParams = z.object({ batchId: z.string().describe('Id of the batch call, `batch_…`') });

const Retry = z
  .strictObject({
    enabled: z.boolean().describe('Whether a call may be made more than once'),
    retryOn: z.array(z.enum(retryOutcomes)).describe('Outcomes after which a number is called again'),
    retryDelays: z.array(z.int()).describe('Seconds before each retry, counted from the end of the call before it'),
    maxAttempts: z.int().describe('Number of retries: as many as there are retryDelays'),
  })
  .describe('Without retries: `enabled` is false, the lists are empty and `maxAttempts` is 0')
  .meta({ id: 'BatchRetry' });

const File = z
  .strictObject({
    filename: z.string().describe('As it was uploaded'),
    extension: z.string().describe('csv, xls or xlsx; without a dot. json: recipients that were sent as JSON'),
    key: z.string().describe('Name of the stored file'),
  })
  .meta({ id: 'BatchFile' });

const BatchStatus = z.enum(batchStatuses).meta({
  id: 'BatchStatus',
  description:
    'parsing: the file is being read; parse_failed: it cannot be used; scheduled: waits for its start; running: calls are ' +
    'placed; cancelling: a cancel or a stop is in progress; cancelled: stopped before every number was called; ' +
    'completed: every number has been called, retries included, or it has stoppedBy',
});

/** Why a batch call stopped before every number had been called. */
export const StoppedBy = z
  .enum(stopNames)
  .meta({ id: 'StoppedBy', description: stopNames.map((name) => `${name}: ${stops[name].meaning}`).join('; ') });

/** Fields of a batch call that every answer has (docs/conformance.md, Batch call (response)). */
export const batchCallFields = {
  batchId: z.string().describe('Id of the batch call, `batch_…`'),
  batchName: z.string().describe('The name sent'),
  description: z.string().optional().describe('Omitted if none was sent'),
  phoneNumberId: z.string().describe('Id of the number that calls are made from'),
  phoneNumber: z.string().describe('That number, E.164'),
  routingRuleId: z.string().describe('The outbound routing rule in use'),
  status: BatchStatus,
  stoppedBy: StoppedBy.optional(),
  timing: z.enum(['immediate', 'scheduled']).describe('scheduled if a schedule was sent'),
  timezone: z.string().describe('IANA name; if none was sent, that of the account, else Asia/Calcutta'),
  scheduledDate: z.string().optional().describe('date of the schedule, YYYY-MM-DD'),
  scheduledTime: z.string().optional().describe('time of the schedule, HH:MM'),
  retry: Retry,
  recordsUploaded: z.int().describe('Numbers that will be called; 0 until the file has been read'),
  parseError: z.string().nullable().describe('Why the file cannot be used; null unless status is parse_failed'),
  file: File.describe('The file that was uploaded'),
  timestamp: z.int().describe('Start as a Unix timestamp in seconds; of an immediate batch call, when it was created'),
  startsAt: instant().describe('The same instant in ISO 8601, UTC, to the millisecond'),
  retriedFrom: z.string().optional().describe('The batch call whose unsuccessful numbers these are (POST …/retry)'),
  createdAt: instant().describe('When it was created'),
  updatedAt: instant().describe('When it last changed'),
};

const exampleId = 'batch_0198f6f2-5c1e-7d3a-9b1f-2f6f0f6f7a01';
export const exampleBatchCall = {
  batchId: exampleId,
  batchName: 'Appointment reminders',
  phoneNumberId: 'num_0198f6f1-0b3c-7c4d-8d5e-9f6a7b8c9d0e',
  phoneNumber: '+14155550100',
  routingRuleId: 'rule_0198f6f3-9b02-7e22-83d4-e5f6a7b8c9da',
  status: 'parsing',
  timing: 'scheduled',
  timezone: 'America/Los_Angeles',
  scheduledDate: '2026-03-02',
  scheduledTime: '09:30',
  retry: { enabled: true, retryOn: ['not-answered', 'missed'], retryDelays: [300, 3600], maxAttempts: 2 },
  recordsUploaded: 0,
  parseError: null,
  file: { filename: 'reminders.csv', extension: 'csv', key: 'file_0198f6f2-5c1f-7e4b-8a2c-3d4e5f6a7b8c' },
  timestamp: 1772472600,
  startsAt: '2026-03-02T17:30:00.000Z',
  createdAt: '2026-03-02T08:05:11.310Z',
  updatedAt: '2026-03-02T08:05:11.310Z',
};

/** The same while its calls are placed. */
export const exampleRunning = {
  ...exampleBatchCall,
  status: 'running',
  recordsUploaded: 2,
  progress: 50,
  updatedAt: '2026-03-02T17:30:00.040Z',
};

export const BatchCall = z.strictObject(batchCallFields).meta({ id: 'BatchCall', examples: [exampleBatchCall] });

export const progress = z.int().min(0).max(100).describe('Share of the calls that are over for good, in whole percent');

const countMeanings: Readonly<Record<RecordStatus, string>> = {
  pending: 'Not dialed yet',
  dialing: 'Being dialed',
  'in-progress': 'Answered and going on',
  retrying: 'Waiting to be dialed again',
  answered: 'Answered and over',
  failed: 'Could not be connected',
  'not-answered': 'Rang, but was not answered',
  rejected: 'Turned down by the callee',
  missed: 'Never rang',
  abandoned: 'Hung up on before they were answered',
  cancelled: 'Not made because of a cancel',
};

/** Number of calls by status, and of the answered ones by who answered. */
export const callCounts = {
  ...(Object.fromEntries(recordStatuses.map((status) => [status, z.int().describe(countMeanings[status])])) as Record<
    RecordStatus,
    z.ZodInt
  >),
  human: z.int().describe('Of `answered`: by a person'),
  machine: z.int().describe('Of `answered`: by a machine'),
};

export const exampleCounts = {
  ...Object.fromEntries(recordStatuses.map((status) => [status, 0])),
  answered: 1,
  pending: 1,
  human: 1,
  machine: 0,
};

export const Counts = z
  .strictObject(callCounts)
  .describe(
    'Number of calls by status: together they are all calls of the batch. `human` and `machine` are part of `answered`; ' +
      'a call of which it is not known who answered is in neither',
  )
  .meta({ id: 'CallCounts', examples: [exampleCounts] });

const isRetryOutcome = (text: string): text is RetryOutcome => retryOutcomes.some((known) => known === text);

const startOf = ({ timing, startsAt, createdAt }: BatchRow): Date => (timing === 'scheduled' ? startsAt : createdAt);

export function batchCallBody(row: BatchRow): z.output<typeof BatchCall> {
  return {
    batchId: row.id,
    batchName: row.name,
    ...(asStoppedBy(row.stoppedBy) === null ? {} : { stoppedBy: asStoppedBy(row.stoppedBy) ?? undefined }),
    ...(row.description === null ? {} : { description: row.description }),
    phoneNumberId: row.numberId,
    phoneNumber: row.fromNumber,
    routingRuleId: row.ruleId,
    status: asBatchStatus(row.status),
    timing: row.timing === 'scheduled' ? 'scheduled' : 'immediate',
    timezone: row.timezone,
    ...(row.scheduledDate === null ? {} : { scheduledDate: row.scheduledDate }),
    ...(row.scheduledTime === null ? {} : { scheduledTime: row.scheduledTime }),
    retry: {
      enabled: row.retryEnabled,
      retryOn: row.retryOn.filter(isRetryOutcome),
      retryDelays: [...row.retryDelaysSeconds],
      maxAttempts: row.retryDelaysSeconds.length,
    },
    recordsUploaded: row.recordsUploaded,
    parseError: row.parseError,
    file: { filename: row.filename, extension: row.extension, key: row.fileKey },
    timestamp: Math.floor(startOf(row).getTime() / 1000),
    startsAt: startOf(row).toISOString(),
    ...(row.retriedFrom === null ? {} : { retriedFrom: row.retriedFrom }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
