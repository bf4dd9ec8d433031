import { z } from 'zod';
import { countsOf } from '../../db/queries/batches/batches.js';
import { listRecords } from '../../db/queries/batches/records.js';
import { mostSearched } from '../../db/queries/batches/record-search.js';
import type { RecordFilter } from '../../db/queries/batches/record-filter.js';
import { totalOf, type CallCounts } from '../../domain/batch/batch-call.js';
import type { RecordSort } from '../../domain/batch/record-order.js';
import type { RecordStatus } from '../../domain/call/call.js';
import { operation } from '../operation.js';
import { cursorQuery, walk } from '../cursor.js';
import { pageOf } from '../pagination.js';
import { requireBatchStats } from './detail.js';
import { BatchRecord, recordBody } from './record.js';
import { analysisFilterText, readRecordFilter, recordFilterQuery, sortQuery } from './record-query.js';
import { batchIdParams } from './schema.js';

const countedBy = (counts: CallCounts, statuses: readonly RecordStatus[]): number =>
  statuses.length === 0 ? totalOf(counts) : [...new Set(statuses)].reduce((sum, status) => sum + counts[status], 0);

/** Counters know how many have a status; what else is asked for has to be counted. */
function knownTotal(filter: RecordFilter, counts: CallCounts): number | null {
  const { answeredBy, reasons, attempts, sipStatusCodes, variants = [], analysis, search } = filter;
  if (filter.talk !== undefined) return null;
  const others = [answeredBy, reasons, attempts, sipStatusCodes, variants, analysis, search];
  return others.every((asked) => asked.length === 0) ? countedBy(counts, filter.statuses) : null;
}

/** What a place holds in each order. */
const valueText: Readonly<Partial<Record<RecordSort, RegExp>>> = {
  attempts: /^\d{1,5}$/,
  sipStatusCode: /^\d{1,9}$/,
  callDuration: /^\d{1,12}(\.\d{1,20})?(e-\d{1,2})?$/,
  endedAt: /^\d{1,17}$/,
};
const placeIn = (by: RecordSort) =>
  z.strictObject({
    value: z
      .string()
      .max(64)
      .regex(valueText[by] ?? /^[^\0]*$/)
      .nullable(),
    position: z.int().min(0).max(2_147_483_647),
  });

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
      'from then on each keeps its place, so that paging shows each once. With a filter or `sort`, records leave the list, ' +
      `or change places in it, as their calls go on: ask for page 1 again. ${analysisFilterText}`,
    params: batchIdParams,
    query: z.looseObject({ ...cursorQuery, ...recordFilterQuery, sort: sortQuery }),
    response: {
      200: pageOf(BatchRecord).extend({
        searched: z
          .int()
          .optional()
          .describe(
            `Only with \`search\` and \`cursor\`: this page looked at so many records, up to ${mostSearched}, and others are left. Go on by ` +
              '`nextCursor`, also after a page with nothing on it',
          ),
      }),
    },
  },

  async handler({ params: { batchId }, query, caller: { accountId } }, { database }) {
    const stats = await requireBatchStats(database.db, accountId, batchId);
    const filter = readRecordFilter(accountId, batchId, query);
    const { sort } = query;
    const { rows, body } = walk(query, { accountId, list: 'records', filter: { ...filter, sort } }, placeIn(sort.by));
    const records = await listRecords(database.db, filter, sort, rows, knownTotal(filter, countsOf(stats)));
    const page = body(records.total, records.next, records.rows.map(recordBody));
    return { status: 200, body: { ...page, ...(records.searched === null ? {} : { searched: records.searched }) } };
  },
});
