import { operation } from '../operation.js';
import { BatchCallDetail, batchCallDetailBody, requireBatchCall } from './detail.js';
import { batchIdParams } from './schema.js';

/** GET /v1/batch-calls/{batchId} */
export const getBatchCall = operation({
  name: 'batchCalls.get',
  method: 'GET',
  url: '/v1/batch-calls/:batchId',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: 'Get a batch call',
    description: 'Poll it to follow the reading of the file and the calls.',
    params: batchIdParams,
    response: { 200: BatchCallDetail },
  },

  async handler({ params, caller }, deps) {
    const row = await requireBatchCall(deps.database.db, caller.accountId, params.batchId);
    return { status: 200, body: batchCallDetailBody(row, deps) };
  },
});
