import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { Db } from '../../db/client.js';
import {
  type BatchToRetry,
  hasRecipientsToRetry,
  insertRetry,
  lockBatchToRetry,
} from '../../db/queries/batches/retry.js';
import type { BatchRoute } from '../../db/queries/batches/create.js';
import { numberTimeZones } from '../../contacts/number-time-zones.js';
import { countNumbersOf, lockBatchRoute } from '../../db/queries/batches/lock-route.js';
import { finishedStatuses, isFinished } from '../../domain/batch/batch-call.js';
import { BatchName } from '../../domain/batch/form-fields.js';
import { retryOutcomes, unsuccessfulStatuses } from '../../domain/call/call.js';
import { conflict, Failure, invalid } from '../../domain/errors.js';
import { formatId } from '../../domain/ids.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { requireRoomForBatch } from '../quotas.js';
import { operation } from '../operation.js';
import { batchCallNotFound, requireStoredBatch } from './detail.js';
import { BatchCall, batchCallBody, exampleBatchCall, batchIdParams } from './schema.js';

const retriable = [...retryOutcomes, 'cancelled'] as const;
const longestName = 256;

const Body = z
  .strictObject({
    statuses: z
      .array(z.enum(retriable))
      .min(1)
      .refine((statuses) => new Set(statuses).size === statuses.length, { error: 'must not name a status twice' })
      .default([...unsuccessfulStatuses])
      .describe(
        `Whose numbers are called again; voicemail: a machine answered; unsuccessful: answered, and the analysis says no success. Default ${unsuccessfulStatuses.join(', ')}`,
      ),
    name: BatchName.optional().describe('Default: the name of the batch call, and (retry)'),
  })
  .meta({ examples: [{ statuses: ['missed', 'not-answered'], name: 'March reminders, second round' }] });

/** Number, gateway, rule and agent as create demands them; what is gone by now is no mistake in this request's address. */
async function lockRoute(
  tx: Db,
  accountId: string,
  { numberId, ruleId, phoneNumbers, variants, maxCost }: BatchToRetry,
): Promise<BatchRoute> {
  try {
    return await lockBatchRoute(tx, accountId, {
      ...{ phoneNumberId: phoneNumbers === null ? numberId : null, phoneNumber: null },
      ...{ phoneNumbers, routingRuleId: ruleId, variants, maxCost },
    });
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'not_found') throw error;
    throw invalid(`${error.message}: it is no longer on the account`);
  }
}

/** Cut so that the addition still fits. */
const nameOf = (name: string): string => {
  const addition = ' (retry)';
  return (
    Array.from(name)
      .slice(0, longestName - addition.length)
      .join('') + addition
  );
};

/** POST /v1/batch-calls/{batchId}/retry */
export const retryBatchCall = operation({
  name: 'batchCalls.retry',
  method: 'POST',
  url: '/v1/batch-calls/:batchId/retry',
  family: 'batch-calls',
  tag: 'Batch calls',
  idempotent: true,
  schema: {
    summary: 'Call the unsuccessful numbers of a finished batch call again',
    description:
      'Makes a new batch call from the recipients that ended in one of `statuses`, with their metadata, and with ' +
      'the number, rule, retry, calling window, `maxConcurrentCalls` and webhook of this one. It starts now. ' +
      "`retriedFrom` links it; its `file` is this one's.\n\n" +
      'Numbers that are now on the do-not-call list, that do not exist, or whose owner wants no calls are omitted and ' +
      'listed under its rejected-rows, by the row of the export.\n\n' +
      '400 if no number is left to call, number, gateway, rule or agent can no longer be used, or no price is left for ' +
      'its `maxCost`; 409 while this one is not finished, and once its data was deleted with its retention period.',
    params: batchIdParams,
    body: Body,
    response: {
      201: BatchCall.meta({
        examples: [
          {
            ...exampleBatchCall,
            timing: 'immediate',
            scheduledDate: undefined,
            scheduledTime: undefined,
            retriedFrom: 'batch_0198f6f2-0a1b-7c2d-8e3f-405162738495',
          },
        ],
      }),
    },
    errors: [409],
  },

  async handler(request, deps) {
    const { caller, params, body } = request;
    const { accountId } = caller;
    const { statuses } = body;

    const create = async (tx: Db) => {
      const original = await lockBatchToRetry(tx, accountId, params.batchId);
      if (original === null) throw batchCallNotFound();
      if (!isFinished(original.status)) {
        throw conflict(`Only a batch call that is ${finishedStatuses.join(', ')} can be retried`);
      }
      if (original.purged) throw conflict('The data of this batch call was deleted: its retention period has passed');
      if (!(await hasRecipientsToRetry(tx, accountId, params.batchId, statuses))) {
        throw invalid(`No number of this batch call that is ${statuses.join(', ')} can be called again`);
      }
      await requireRoomForBatch(tx, accountId, 0, deps.env);
      const batchId = formatId('batch', uuidv7());
      await insertRetry(tx, {
        accountId,
        batchId,
        retriedFrom: params.batchId,
        statuses,
        name: body.name ?? nameOf(original.name),
        route: await lockRoute(tx, accountId, original),
        simulated: deps.env.OUTDIAL_PROVIDER === 'simulator',
        now: deps.clock(),
      });
      await countNumbersOf(tx, accountId, original.phoneNumbers, numberTimeZones());
      await recordAudit(tx, caller, 'batch-call.retry', batchId, { retriedFrom: params.batchId, statuses });
      return { status: 201 as const, body: batchCallBody(await requireStoredBatch(tx, accountId, batchId)) };
    };
    const answer = await withIdempotency(request, deps, body, create);
    deps.temporal.kick();
    return answer;
  },
});
