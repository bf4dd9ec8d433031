import { Readable } from 'node:stream';
import { z } from 'zod';
import { exportedOnRequest, findBatchColumns, recordPages } from '../../db/queries/batches/export.js';
import { operation } from '../operation.js';
import { batchCallNotFound } from './detail.js';
import { attachment, csvOfRecords } from './export-csv.js';
import { someOf } from './filters.js';
import { analysisFilterText, readRecordFilter, recordFilterQuery } from './record-query.js';
import { batchIdParams } from './schema.js';

/** Sent as a stream; readers get a text. */
const Csv = z
  .unknown()
  .meta({
    type: 'string',
    contentMediaType: 'text/csv',
    examples: [
      '"phone_number","name","status","reason","sip_status_code","attempts","call_id","call_duration","answered_by",' +
        '"last_attempt_at","next_attempt_at","called_back_by"\r\n"+919877012345","Asha","answered","callee_hung_up",200,1,' +
        '"call_019a5f3c-2b1e-7c44-9a53-5d0c1c7f2a11",42.5,"human","2027-03-01T04:00:07.120Z",,\r\n',
    ],
  })
  .describe('CSV by RFC 4180 in UTF-8, with a header');

/** GET /v1/batch-calls/{batchId}/records/export */
export const exportBatchRecords = operation({
  name: 'batchCalls.exportRecords',
  method: 'GET',
  url: '/v1/batch-calls/:batchId/records/export',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: "Export a batch call's records as CSV",
    description:
      'The columns of the upload, then `status`, `reason`, `sip_status_code`, `attempts`, `call_id`, ' +
      '`call_duration` (seconds), `answered_by`, `last_attempt_at`, `next_attempt_at`, `called_back_by` (a call), and `recipient_id` if ' +
      'recipients have ids, `pre_dial_reason` if a pre-dial endpoint is asked, `variant` if it has variants, `called_from` (the last attempt) if it has several numbers, and if the agent analyzes calls `analysis_…` for each property of its schema, `success` and ' +
      '`analysis_error`; a name that the upload also ' +
      'has becomes `result_…` (`result_status`). One line for each record in the order of the file, at any time, without ' +
      'rejected rows.\n\n' +
      'Cells that a spreadsheet would run as a formula (they begin with `=`, `+`, `-`, `@`, a tab or a line break) ' +
      "get a `'` in front. Phone numbers stay `+…`, so that the file can be uploaded again: import them as text.\n\n" +
      `It takes the filters of the list of records. ${analysisFilterText}`,
    params: batchIdParams,
    query: z.looseObject({
      ...recordFilterQuery,
      include: someOf(exportedOnRequest, 'Columns that are only there if they are asked for'),
    }),
    response: { 200: Csv },
  },

  async handler({ params: { batchId }, query, caller: { accountId } }, { database: { db } }) {
    const filter = readRecordFilter(accountId, batchId, query);
    const include = exportedOnRequest.filter((name) => query.include.includes(name));
    const batch = await findBatchColumns(db, accountId, batchId);
    if (batch === null) throw batchCallNotFound();
    const lines = csvOfRecords(batch.columns, recordPages(db, filter, include), {
      ...batch,
      include,
    });
    return {
      status: 200,
      body: Readable.from(lines, { objectMode: false, highWaterMark: 65_536 }),
      headers: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': attachment(batch.name),
        'cache-control': 'no-store',
      },
    };
  },
});
