import { z } from 'zod';
import { type CalledAgain, callRecordAgain } from '../../db/queries/batches/call-again.js';
import { wakeGateways } from '../../db/queries/dialer/wake-gateways.js';
import { conflict } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { operation } from '../operation.js';
import { requireBatchStats } from './detail.js';
import { knowZones } from './know-zones.js';
import {
  BatchRecord,
  callIdOfRecord,
  obstaclesToAnyCall,
  recordBody,
  recordParams,
  requireRecord,
  unknownRecord,
} from './record.js';

const obstacles: Readonly<Record<Exclude<CalledAgain['outcome'], 'queued' | 'unknown'>, string>> = {
  ...obstaclesToAnyCall,
  unsettled: 'The recipient is being called, or waits to be',
  analyzing: 'Its conversation is being analyzed. Try again when that is done',
  summarizing: 'The summary of its conversation is being made. Try again when it is there',
};

/** @throws Failure `not_found`; `conflict` if it cannot be called again */
function requireQueued(again: CalledAgain): { readonly gatewayIds: readonly string[] } {
  if (again.outcome === 'queued') return again;
  if (again.outcome === 'unknown') throw unknownRecord();
  throw conflict(obstacles[again.outcome]);
}

/** POST /v1/batch-calls/{batchId}/records/{recordId}/call-again */
export const callBatchRecordAgain = operation({
  name: 'batchCalls.callRecordAgain',
  method: 'POST',
  url: '/v1/batch-calls/:batchId/records/:recordId/call-again',
  family: 'batch-calls',
  tag: 'Batch calls',
  idempotent: true,
  schema: {
    summary: 'Call a recipient again',
    description:
      'One more attempt, outside the retry plan, for a recipient whose call is over while the batch call runs; an open ' +
      'one keeps running. Calling window, guardrails and do-not-call list hold. The record shows the latest attempt; ' +
      'transcript, summary and recording are those of the latest conversation. 409 with the reason otherwise.',
    params: recordParams,
    body: z.strictObject({}),
    response: { 200: BatchRecord },
    errors: [404, 409],
  },

  async handler(request, deps) {
    const { params, body, caller } = request;
    const { accountId } = caller;
    const { batchId, recordId } = params;
    let woken: readonly string[] = [];
    const answer = await withIdempotency(request, deps, body, async (tx) => {
      await requireBatchStats(tx, accountId, batchId);
      const callId = callIdOfRecord(recordId);
      await knowZones(tx, { accountId, batchId, callId });
      const { gatewayIds } = requireQueued(await callRecordAgain(tx, { accountId, batchId, callId }));
      await recordAudit(tx, caller, 'batch-call.call-record-again', batchId, { recordId });
      woken = gatewayIds;
      return { status: 200 as const, body: recordBody(await requireRecord(tx, accountId, batchId, callId)) };
    });
    deps.temporal.kick();
    await wakeGateways(deps.database.db, woken);
    return answer;
  },
});
