import { type CallbackPlanned, planCallback } from '../../db/queries/batches/callback.js';
import { wakeGateways } from '../../db/queries/dialer/wake-gateways.js';
import { readInstant } from '../../domain/batch/dialing-order.js';
import { CallbackInput, mostDaysToCallback } from '../../domain/batch/recipients.js';
import { conflict } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { operation } from '../operation.js';
import { invalidRequest } from '../validation.js';
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

const obstacles: Readonly<Record<Exclude<CallbackPlanned['outcome'], 'planned' | 'unknown'>, string>> = {
  ...obstaclesToAnyCall,
  never_called:
    'The recipient has not been called. Set its `notBefore` with PATCH, or add it again with POST …/recipients',
  being_ended: 'The call of the recipient is being ended. Ask again when it is over',
};

/** @throws Failure `not_found`; `conflict` if it cannot be called back */
function requirePlanned(planned: CallbackPlanned): { readonly gatewayId: string } {
  if (planned.outcome === 'planned') return planned;
  if (planned.outcome === 'unknown') throw unknownRecord();
  throw conflict(obstacles[planned.outcome]);
}

/** @throws Failure if the instant is too far ahead */
function requireNear(at: Date, now: Date): void {
  if (at.getTime() <= now.getTime() + mostDaysToCallback * 86_400_000) return;
  const message = `must be at most ${mostDaysToCallback} days ahead`;
  throw invalidRequest([{ path: 'at', code: 'OUT_OF_RANGE', message }]);
}

/** POST /v1/batch-calls/{batchId}/records/{recordId}/callback */
export const callBatchRecordBack = operation({
  name: 'batchCalls.callRecordBack',
  method: 'POST',
  url: '/v1/batch-calls/:batchId/records/:recordId/callback',
  family: 'batch-calls',
  tag: 'Batch calls',
  idempotent: true,
  schema: {
    summary: 'Call a recipient back at a time',
    description:
      'One more attempt at that time, outside the retry plan, while the batch call runs: after a call that is over, in place ' +
      'of a planned retry, or after the call that is live now. Asked again before then, it moves. Calling window, ' +
      'guardrails and do-not-call list hold. The batch call completes after it. 409 with the reason otherwise.',
    params: recordParams,
    body: CallbackInput,
    response: { 200: BatchRecord },
    errors: [404, 409],
  },

  async handler(request, deps) {
    const { params, body, caller } = request;
    const { accountId } = caller;
    const { batchId, recordId } = params;
    const instant = readInstant(body.at);
    if (instant === null) throw new Error('The schema let a time pass that is none.');
    const [at, now] = [new Date(instant), deps.clock()];
    let woken: readonly string[] = [];
    const answer = await withIdempotency(request, deps, body, async (tx) => {
      await requireBatchStats(tx, accountId, batchId);
      const callId = callIdOfRecord(recordId);
      await knowZones(tx, { accountId, batchId, callId });
      const { gatewayId } = requirePlanned(await planCallback(tx, { accountId, batchId, callId }, at, now));
      await recordAudit(tx, caller, 'batch-call.call-record-back', batchId, { recordId, at: instant });
      requireNear(at, now);
      woken = [gatewayId];
      return { status: 200 as const, body: recordBody(await requireRecord(tx, accountId, batchId, callId)) };
    });
    deps.temporal.kick();
    await wakeGateways(deps.database.db, woken);
    return answer;
  },
});
