import { z } from 'zod';
import { listBatchCalls } from '../../db/queries/batches/list.js';
import { batchStatuses } from '../../domain/batch/batch-call.js';
import { operation } from '../operation.js';
import { cursorQuery, instantAndId, walk } from '../cursor.js';
import { pageOf } from '../pagination.js';
import { epochMilliseconds, searchText, someOf } from './filters.js';
import { BatchCallItem, batchCallItemBody } from './item.js';

/** GET /v1/batch-calls */
export const listBatchCallsOfAccount = operation({
  name: 'batchCalls.list',
  method: 'GET',
  url: '/v1/batch-calls',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: 'List batch calls',
    description:
      'Newest first, each with its progress, its counts and what holds it. New ones come first, so paging misses ' +
      'none, but may show some twice; with `endDate` set to before the first page, each is shown once.',
    query: z.object({
      ...cursorQuery,
      status: someOf(batchStatuses, 'Only those in these statuses'),
      search: searchText('Part of the name, the description, the number called from, or the id; in any casing'),
      startDate: epochMilliseconds('Only those created at this time or later, in milliseconds since 1970'),
      endDate: epochMilliseconds('Only those created at this time or earlier, in milliseconds since 1970'),
    }),
    response: { 200: pageOf(BatchCallItem) },
  },

  async handler({ query, caller }, deps) {
    const { accountId } = caller;
    const filter = {
      statuses: query.status,
      search: query.search,
      createdFrom: query.startDate ?? null,
      createdUntil: query.endDate ?? null,
    };
    const { rows, body } = walk(query, { accountId, list: 'batch-calls', filter }, instantAndId);
    const { total, batches, next } = await listBatchCalls(deps.database.db, accountId, filter, rows);
    return {
      status: 200,
      body: body(
        total,
        next,
        batches.map((row) => batchCallItemBody(row, deps)),
      ),
    };
  },
});
