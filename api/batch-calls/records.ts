import { z } from 'zod';
import { findBatchStats } from '../../db/queries/batches/batches.js';
import { countRecords, listRecords, type RecordRow } from '../../db/queries/batches/records.js';
import { totalOf, type CallCounts } from '../../domain/batch/batch-call.js';
import { recordStatuses, type RecordStatus } from '../../domain/call/call.js';
import { formatId } from '../../domain/ids.js';
import { operation } from '../operation.js';
import { cursorQuery, walk, wholeNumberText } from '../cursor.js';
import { endReason } from '../reasons.js';
import { pageOf } from '../pagination.js';
import { instant } from '../fields.js';
import { batchCallNotFound } from './detail.js';
import { searchText, someOf } from './filters.js';
import { batchIdParams, countsOf } from './schema.js';

const Record = z
  .strictObject({
    recordId: z.string().describe('`rec_…`; the call has the same UUID'),
    phoneNumber: z.string().describe('Number called, E.164'),
    // Not a zod record: that would drop a column called __proto__.
    metadata: z
      .unknown()
      .meta({ type: 'object', additionalProperties: { type: 'string' } })
      .describe('The other columns of the row'),
    status: z
      .enum(recordStatuses)
      .describe(
        'pending, dialing, in-progress and retrying go on; answered means that it ended well; the others are final too',
      ),
    callId: z.string().describe('`call_…`'),
    reason: endReason().optional().describe('Why it ended with this status'),
    sipStatusCode: z.int().optional().describe("The carrier's answer to the latest attempt"),
    answeredBy: z.enum(['human', 'machine', 'unknown']).optional().describe('Who picked up, of answered calls'),
    attempts: z.int().describe('Times that the number has been dialed'),
    nextAttemptAt: instant().optional().describe('When it will be called again, of those that are retrying'),
    callDuration: z.number().optional().describe('Seconds from the answer to the end'),
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

const recordBody = (row: RecordRow): z.output<typeof Record> => ({
  recordId: formatId('record', row.id),
  phoneNumber: row.phoneNumber,
  metadata: row.metadata,
  status: row.status,
  callId: formatId('call', row.id),
  ...(row.reason === null ? {} : { reason: row.reason }),
  ...(row.sipStatusCode === null ? {} : { sipStatusCode: row.sipStatusCode }),
  ...(row.answeredBy === null || row.status !== 'answered' ? {} : { answeredBy: row.answeredBy }),
  attempts: row.attempts,
  ...(row.nextAttemptAt === null ? {} : { nextAttemptAt: row.nextAttemptAt.toISOString() }),
  ...(row.talkSeconds === null ? {} : { callDuration: Math.round(row.talkSeconds * 1000) / 1000 }),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const countedBy = (counts: CallCounts, statuses: readonly RecordStatus[]): number =>
  statuses.length === 0 ? totalOf(counts) : [...new Set(statuses)].reduce((sum, status) => sum + counts[status], 0);

/** GET /v1/batch-calls/{batchId}/records */
export const listBatchRecords = operation({
  name: 'batchCalls.listRecords',
  method: 'GET',
  url: '/v1/batch-calls/:batchId/records',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: "List a batch call's records",
    description:
      'One record for each row that is called, in the order of the file. There are none before it has been read; ' +
      'from then on each keeps its place, so that paging shows each once. With `status`, records leave the list as ' +
      'their calls go on: ask for page 1 again.',
    params: batchIdParams,
    query: z.object({
      ...cursorQuery,
      status: someOf(recordStatuses, 'Only those in these statuses'),
      search: searchText('Part of the number or of any value of the row, in any casing'),
    }),
    response: { 200: pageOf(Record) },
  },

  async handler({ params: { batchId }, query, caller: { accountId } }, { database: { db } }) {
    const stats = await findBatchStats(db, accountId, batchId);
    if (stats === null) throw batchCallNotFound();
    const filter = { accountId, batchId, statuses: query.status, search: query.search };
    const { rows, body } = walk(query, { accountId, list: 'records', filter }, wholeNumberText);
    // Counters know how many have a status; only a search has to be counted.
    const counted = query.search === '' ? countedBy(countsOf(stats), query.status) : null;
    const isPast = counted !== null && rows.after === undefined && rows.offset >= counted;
    const [total, records] = await Promise.all([
      counted ?? rows.counted ?? countRecords(db, filter),
      isPast ? { rows: [], next: null } : listRecords(db, filter, rows),
    ]);
    return { status: 200, body: body(total, records.next, records.rows.map(recordBody)) };
  },
});
