import { z } from 'zod';
import { resumeBatch } from '../../db/queries/batches/control.js';
import { wakeGateways } from '../../db/queries/dialer/wake-gateways.js';
import { operation } from '../operation.js';
import { control } from './control.js';
import { BatchCallDetail } from './detail.js';
import { batchIdParams } from './schema.js';

/** POST /v1/batch-calls/{batchId}/resume */
export const resumeBatchCall = operation({
  name: 'batchCalls.resume',
  method: 'POST',
  url: '/v1/batch-calls/:batchId/resume',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: 'Resume a paused batch call',
    description:
      'Number, gateway, rule and agent are checked again: if one of them cannot be used, the answer still says `paused`, ' +
      'with the reason. Resuming what is not paused changes nothing.',
    params: batchIdParams,
    body: z.strictObject({}),
    response: { 200: BatchCallDetail },
    errors: [409],
  },

  async handler({ params: { batchId }, caller }, deps) {
    const { row, body, changed } = await control(deps, caller, {
      batchId,
      action: 'batch-call.resume',
      tooLate: 'A batch call that is finished cannot be resumed',
      apply: (tx) => resumeBatch(tx, caller.accountId, batchId),
    });
    if (changed) await wakeGateways(deps.database.db, [row.gatewayId]);
    return { status: 200, body };
  },
});
