import { z } from 'zod';
import { type Skip, skipRecord } from '../../db/queries/batches/skip-record.js';
import { wakeGateways } from '../../db/queries/dialer/wake-gateways.js';
import { endedUndialed } from '../../domain/call/log-lines.js';
import { conflict } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { operation } from '../operation.js';
import { requireBatchStats } from './detail.js';
import { BatchRecord, callIdOfRecord, recordBody, recordParams, requireRecord, unknownRecord } from './record.js';
import { traceCallsOver } from '../calls-over.js';

/** @throws Failure `not_found`; `conflict` if it is too late */
function requireSkipped(skip: Skip): { readonly gatewayId: string } {
  switch (skip.outcome) {
    case 'skipped':
      return skip;
    case 'unknown':
      throw unknownRecord();
    case 'live':
      throw conflict('The recipient is being called; POST /v2/sip/call/end ends the call');
    case 'settled':
      throw conflict('The recipient is not called any more');
  }
}

/** POST /v1/batch-calls/{batchId}/records/{recordId}/skip */
export const skipBatchRecord = operation({
  name: 'batchCalls.skipRecord',
  method: 'POST',
  url: '/v1/batch-calls/:batchId/records/:recordId/skip',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: 'Skip a recipient',
    description:
      'A recipient that has not been dialed, or waits for a retry, is not called any more: its record becomes ' +
      '`cancelled` with `reason` `skipped`. 409 while it is being called, and once it is over. One ' +
      'that was answered, and waits for the analysis that `retryOn: unsuccessful` depends on, stays `answered`, and is not called again.',
    params: recordParams,
    body: z.strictObject({}),
    response: { 200: BatchRecord },
    errors: [404, 409],
  },

  async handler({ params: { batchId, recordId }, caller }, deps) {
    const { db } = deps.database;
    const { accountId } = caller;
    const { callId, gatewayId, record } = await db.transaction().execute(async (tx) => {
      await requireBatchStats(tx, accountId, batchId);
      const callId = callIdOfRecord(recordId);
      const skipped = requireSkipped(await skipRecord(tx, accountId, batchId, callId));
      await recordAudit(tx, caller, 'batch-call.skip-record', batchId, { recordId });
      return { callId, ...skipped, record: await requireRecord(tx, accountId, batchId, callId) };
    });
    // One that was answered stays so.
    if (record.status === 'cancelled')
      deps.logger.info({ accountId, batchId, callId, reason: 'skipped' }, endedUndialed);
    deps.temporal.kick();
    traceCallsOver(deps, [callId]);
    // What it held is free for another call.
    await wakeGateways(db, [gatewayId]);
    return { status: 200, body: recordBody(record) };
  },
});
