import { z } from 'zod';
import { closeBatch } from '../../db/queries/batches/control.js';
import { operation } from '../operation.js';
import { control } from './control.js';
import { BatchCallDetail } from './detail.js';
import { batchIdParams } from './schema.js';

/** POST /v1/batch-calls/{batchId}/close */
export const closeBatchCall = operation({
  name: 'batchCalls.close',
  method: 'POST',
  url: '/v1/batch-calls/:batchId/close',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: 'Close an open batch call',
    description:
      'No more recipients are expected: it completes when those that it has have been called, at once if they have. ' +
      'Closing again changes nothing.',
    params: batchIdParams,
    body: z.strictObject({}),
    response: { 200: BatchCallDetail },
    errors: [409],
  },

  async handler({ params: { batchId }, caller }, deps) {
    const { body } = await control(deps, caller, {
      batchId,
      action: 'batch-call.close',
      tooLate: 'A batch call that is finished cannot be closed',
      apply: (tx) => closeBatch(tx, caller.accountId, batchId),
    });
    deps.temporal.kick();
    return { status: 200, body };
  },
});
