import { z } from 'zod';
import { countCorrectedRows, listCorrectedRows } from '../../db/queries/batches/rows-of-file.js';
import { operation } from '../operation.js';
import { cursorQuery, walk, wholeNumberText } from '../cursor.js';
import { pageOf } from '../pagination.js';
import { batchCallNotFound } from './detail.js';
import { batchIdParams } from './schema.js';

/** A row of the file whose number is dialed otherwise than it was written. */
const CorrectedRow = z
  .strictObject({
    row: z.int().describe('Row of the file as a spreadsheet counts them: the header is row 1'),
    value: z.string().describe('What the phone_number cell holds'),
    phoneNumber: z.string().describe('The number that is dialed for it, E.164'),
  })
  .meta({ id: 'CorrectedRow', examples: [{ row: 9, value: '+1 (415) 555-0123', phoneNumber: '+14155550123' }] });

/** GET /v1/batch-calls/{batchId}/corrected-rows */
export const listBatchCorrectedRows = operation({
  name: 'batchCalls.listCorrectedRows',
  method: 'GET',
  url: '/v1/batch-calls/:batchId/corrected-rows',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: 'List the rows of the file whose number was corrected',
    description:
      'In the order of the file: spaces, dashes and brackets removed, a + or a country code added. `validate` lists ' +
      'the same before any call.',
    params: batchIdParams,
    query: z.object(cursorQuery),
    response: { 200: pageOf(CorrectedRow) },
  },

  async handler({ params: { batchId }, query, caller: { accountId } }, { database: { db } }) {
    const total = await countCorrectedRows(db, { accountId, batchId });
    if (total === null) throw batchCallNotFound();
    const { rows, body } = walk(query, { accountId, list: 'corrected-rows', filter: { batchId } }, wholeNumberText);
    const corrected = await listCorrectedRows(db, { accountId, batchId }, rows);
    return { status: 200, body: body(total, corrected.next, [...corrected.rows]) };
  },
});
