import { z } from 'zod';
import { pauseBatch } from '../../db/queries/batches/control.js';
import { operation } from '../operation.js';
import { control } from './control.js';
import { BatchCallDetail } from './detail.js';
import { batchIdParams } from './schema.js';

/** POST /v1/batch-calls/{batchId}/pause */
export const pauseBatchCall = operation({
  name: 'batchCalls.pause',
  method: 'POST',
  url: '/v1/batch-calls/:batchId/pause',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: 'Pause a batch call',
    description:
      'Nothing of it is dialed until it is resumed; live calls go on, and retries that fall due wait. The status stays: a ' +
      'batch call paused before its start starts at its time and waits then. Pausing again changes nothing.',
    params: batchIdParams,
    body: z.strictObject({}),
    response: { 200: BatchCallDetail },
    errors: [409],
  },

  async handler({ params: { batchId }, caller }, deps) {
    const { body } = await control(deps, caller, {
      batchId,
      action: 'batch-call.pause',
      tooLate: 'A batch call that is finished cannot be paused',
      apply: (tx) => pauseBatch(tx, caller.accountId, batchId),
    });
    return { status: 200, body };
  },
});
