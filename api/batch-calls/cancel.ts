import { z } from 'zod';
import { requestCancel } from '../../db/queries/batches/control.js';
import { cancellableStatuses, cancelModes } from '../../domain/batch/batch-call.js';
import { operation } from '../operation.js';
import { control } from './control.js';
import { BatchCallDetail } from './detail.js';
import { batchIdParams } from './schema.js';

/**
 * POST /v1/batch-calls/{batchId}/cancel
 *
 * The cancel holds from its commit on, since claim and gate read the batch's status: no call starts after the answer, even
 * while Temporal is down.
 */
export const cancelBatchCall = operation({
  name: 'batchCalls.cancel',
  method: 'POST',
  url: '/v1/batch-calls/:batchId/cancel',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: 'Cancel a batch call',
    description:
      'Once this is answered, no call is started. The batch call is `cancelling` until its live calls are over, ' +
      'then `cancelled`, or `completed` if no number was left to call. Cancelling again changes nothing, except ' +
      'that a graceful cancel can be made immediate.',
    params: batchIdParams,
    body: z.strictObject({
      mode: z
        .enum(cancelModes)
        .default('graceful')
        .describe('graceful: live calls go on to their end; immediate: they are hung up'),
    }),
    response: { 202: BatchCallDetail },
    errors: [409],
  },

  async handler({ params: { batchId }, body: { mode }, caller }, deps) {
    const { body, changed } = await control(deps, caller, {
      batchId,
      action: 'batch-call.cancel',
      details: { mode },
      tooLate: `Only a batch call that is ${cancellableStatuses.join(', ')} can be cancelled`,
      apply: (tx) => requestCancel(tx, caller.accountId, batchId, mode),
    });
    if (changed) deps.temporal.kick();
    return { status: 202, body };
  },
});
