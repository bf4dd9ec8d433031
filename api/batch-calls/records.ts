import { z } from 'zod';
import { countsOf } from '../../db/queries/batches/batches.js';
import { countRecords, listRecords } from '../../db/queries/batches/records.js';
import { totalOf, type CallCounts } from '../../domain/batch/batch-call.js';
import { recordStatuses, type RecordStatus } from '../../domain/call/call.js';
import { operation } from '../operation.js';
import { cursorQuery, walk, wholeNumberText } from '../cursor.js';
import { pageOf } from '../pagination.js';
import { requireBatchStats } from './detail.js';
import { BatchRecord, recordBody } from './record.js';
import { searchText, someOf } from './filters.js';
import { batchIdParams } from './schema.js';

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
    response: { 200: pageOf(BatchRecord) },
  },

  async handler({ params: { batchId }, query, caller: { accountId } }, { database: { db } }) {
    const stats = await requireBatchStats(db, accountId, batchId);
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
