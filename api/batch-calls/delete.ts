import { deleteBatch } from '../../db/queries/batches/delete.js';
import { finishedStatuses } from '../../domain/batch/batch-call.js';
import { conflict } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { doneWith } from '../done.js';
import { operation } from '../operation.js';
import { batchCallNotFound } from './detail.js';
import { batchIdParams } from './schema.js';

/**
 * DELETE /v1/batch-calls/{batchId}
 *
 * One short transaction, however large the batch is: what it leaves is removed by a workflow.
 */
export const deleteBatchCall = operation({
  name: 'batchCalls.delete',
  method: 'DELETE',
  url: '/v1/batch-calls/:batchId',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: 'Delete a batch call',
    description:
      `Only one that is finished (${finishedStatuses.join(', ')}); cancel it first. It can no longer be found; its ` +
      'file, records, rejected rows, metadata, transcripts, recordings and webhook deliveries are removed, of a large one ' +
      'over some seconds. Webhooks that nobody has accepted yet are dropped. The audit log keeps how many calls it had and ' +
      'how they ended. A retry made from it stays; 409 also while that is still `parsing`.',
    params: batchIdParams,
    response: {
      200: doneWith('Batch call deleted'),
    },
    errors: [409],
  },

  async handler({ params: { batchId }, caller }, deps) {
    await deps.database.db.transaction().execute(async (tx) => {
      const deleted = await deleteBatch(tx, caller.accountId, batchId);
      if (deleted === 'unknown') throw batchCallNotFound();
      if (deleted === 'unfinished')
        throw conflict(`Only a batch call that is ${finishedStatuses.join(', ')} can be deleted`);
      if (deleted === 'being_copied')
        throw conflict('A retry of this batch call is taking its numbers from it: try again');
      await recordAudit(tx, caller, 'batch-call.delete', batchId, deleted);
    });
    deps.temporal.kick();
    return { status: 200, body: { message: 'Batch call deleted' } };
  },
});
