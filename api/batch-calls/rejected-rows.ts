import { z } from 'zod';
import { countRejectedRows, listRejectedRows, type RejectedRowRow } from '../../db/queries/batches/rows-of-file.js';
import { operation } from '../operation.js';
import { cursorQuery, walk, wholeNumberText } from '../cursor.js';
import { pageOf } from '../pagination.js';
import { batchCallNotFound } from './detail.js';
import { rejectedRowReason } from '../reasons.js';
import { batchIdParams } from './schema.js';

/** A row of the file that is not called. */
export const RejectedRow = z
  .strictObject({
    row: z.int().describe('Row of the file as a spreadsheet counts them: the header is row 1. Of JSON: the index + 1'),
    index: z.int().optional().describe('Of JSON: place in `recipients`, from 0'),
    id: z.string().optional().describe('Of JSON: your own id of the recipient'),
    value: z.string().describe('What the phone_number cell holds'),
    reason: rejectedRowReason().describe('Why the row is not called'),
    message: z.string().describe('What is wrong and how to correct it'),
  })
  .meta({
    id: 'RejectedRow',
    examples: [
      { row: 7, value: '4155550126', reason: 'missing_plus', message: 'has no + and country code; write +14155550126' },
    ],
  });

const rejectedBody = ({ index, id, ...row }: RejectedRowRow): z.output<typeof RejectedRow> => ({
  ...row,
  ...(index === null ? {} : { index }),
  ...(id === null ? {} : { id }),
});

/** GET /v1/batch-calls/{batchId}/rejected-rows */
export const listBatchRejectedRows = operation({
  name: 'batchCalls.listRejectedRows',
  method: 'GET',
  url: '/v1/batch-calls/:batchId/rejected-rows',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: 'List the rows of the file that are not called',
    description: 'In the order of the file. A bad row never keeps the good ones from being called.',
    params: batchIdParams,
    query: z.object(cursorQuery),
    response: { 200: pageOf(RejectedRow) },
  },

  async handler({ params: { batchId }, query, caller: { accountId } }, { database: { db } }) {
    const total = await countRejectedRows(db, { accountId, batchId });
    if (total === null) throw batchCallNotFound();
    const { rows, body } = walk(query, { accountId, list: 'rejected-rows', filter: { batchId } }, wholeNumberText);
    const rejected = await listRejectedRows(db, { accountId, batchId }, rows);
    return { status: 200, body: body(total, rejected.next, rejected.rows.map(rejectedBody)) };
  },
});
