import { isDeepStrictEqual } from 'node:util';
import { accountDefaults } from '../../db/queries/accounts/defaults.js';
import { changeBatch, isTold, type BatchChange } from '../../db/queries/batches/change.js';
import { lockBatch } from '../../db/queries/batches/control.js';
import { maxCostProblems } from '../../db/queries/batches/max-cost.js';
import { wakeGateways } from '../../db/queries/dialer/wake-gateways.js';
import { changedFields } from '../../domain/batch/form-fields.js';
import type { BatchForm } from '../../domain/batch/form.js';
import { conflict, invalid, type Problem } from '../../domain/errors.js';
import { retryProblems } from '../../domain/account/operator-limits.js';
import { startOf } from '../../domain/batch/schedule.js';
import { untilProblem } from '../../domain/batch/stops.js';
import { weightProblems } from '../../domain/batch/variants.js';
import { operatorLimitsOf } from '../../platform/operator-env.js';
import { recordAudit } from '../audit.js';
import { operation } from '../operation.js';
import { changedReadOnly, ofTwoNames } from '../patch.js';
import {
  BatchCallDetail,
  batchCallDetailBody,
  batchCallNotFound,
  requireBatchCall,
  requireStoredBatch,
  storedBatchBody,
} from './detail.js';
import { holdBody } from './hold.js';
import { successProblems } from './required-success.js';
import { batchIdParams } from './schema.js';
import {
  asSchedule,
  isAnswer,
  readOnlyFields,
  preDialProblems,
  scheduleProblems,
  steeringProblems,
  type UpdateBatchCall,
  UpdateBatchCallBody,
} from './update-body.js';

type Stored = ReturnType<typeof storedBatchBody>;

const changeable: readonly string[] = [...Object.keys(changedFields), 'retry'];

/** Fields of the body that contradict read-only fields or each other. */
function contradictions(body: UpdateBatchCall, current: Stored, paused: boolean | null): Problem[] {
  const problems = changedReadOnly(body, current, Object.keys(readOnlyFields));
  problems.push(...steeringProblems(body, { status: current.status, paused }));
  if (ofTwoNames(body.name, body.batchName, current.batchName) === 'disagree') {
    problems.push({ path: 'batchName', code: 'INVALID_VALUE', message: 'must be the same as name' });
  }
  return problems;
}

/** The fields that differ from the stored batch: one that is over may be sent back as it is, with another name. */
function changeOf(body: UpdateBatchCall, current: Stored, now: Date, unnamedZone: string): BatchChange {
  const { retryOn, retryDelays, enabled } = current.retry;
  const named = ofTwoNames(body.name, body.batchName, current.batchName);
  const name = named === 'disagree' ? undefined : named.value;
  const sent: Readonly<Record<string, unknown>> = { ...body, name };
  const stored: Readonly<Record<string, unknown>> = {
    ...current,
    name: current.batchName,
    retry: enabled ? { retryOn, retryDelays } : null,
  };
  // What a schedule asks for depends on the clock, so it always counts.
  const isChanged = (field: string): boolean =>
    sent[field] !== undefined && (field === 'schedule' || !isDeepStrictEqual(sent[field], stored[field] ?? null));
  const asked: Readonly<Record<string, unknown>> = {
    ...sent,
    description: body.description === '' ? null : body.description,
    schedule: body.schedule === undefined ? undefined : scheduleOf(body.schedule, now, unnamedZone),
  };
  return Object.fromEntries(changeable.filter(isChanged).map((field) => [field, asked[field]]));
}

/** What is wrong with the instant at which the batch would stop, beside the start that it has then. */
function untilProblems(wanted: BatchChange, current: Stored, now: Date): Problem[] {
  const until = wanted.until ?? (wanted.schedule ? current.until : undefined);
  if (until === undefined || ('until' in wanted && wanted.until === null)) return [];
  const { schedule } = wanted;
  const startsAt = schedule === undefined ? new Date(current.startsAt) : (schedule?.startsAt ?? null);
  const message = untilProblem(until, now, startsAt);
  return message === null ? [] : [{ path: 'until', code: 'OUT_OF_RANGE', message }];
}

function scheduleOf(
  schedule: NonNullable<UpdateBatchCall['schedule']> | null,
  now: Date,
  unnamedZone: string,
): BatchForm['schedule'] {
  if (schedule === null) return null;
  const found = startOf(asSchedule(schedule), now, unnamedZone);
  if ('problems' in found) throw invalid('The request is not valid', found.problems);
  return { date: schedule.date, time: schedule.time, ...found.start };
}

/** PATCH /v1/batch-calls/{batchId} */
export const updateBatchCall = operation({
  name: 'batchCalls.update',
  method: 'PATCH',
  url: '/v1/batch-calls/:batchId',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: 'Change a batch call',
    description:
      'Changes the fields that are sent; all of them or, if one cannot be changed, none (400, 409).\n\n' +
      '- `name` and `description` can be changed at any time.\n' +
      '- `schedule` while the status is `parsing` or `scheduled`: the start moves, also to now. The rules are those ' +
      'of create. 409 once calls are placed.\n' +
      '- `callingWindow`, `maxConcurrentCalls`, `preDial`, `priority`, `variants`, `retry`, `stopAfter`, `until` and `maxCost` until the batch call ends, the last three until it is stopped; 409 after. Nothing is dialed ' +
      'outside of the new window once this is answered. Live calls go on.\n\n' +
      'An answer of GET can be sent back with changes: fields that cannot be changed are accepted if they are the ' +
      'same.',
    params: batchIdParams,
    body: UpdateBatchCallBody,
    bodyProblems: (body, { clock, env }) => [...scheduleProblems(body, clock()), ...preDialProblems(body, env)],
    response: { 200: BatchCallDetail },
    errors: [409],
  },

  async handler({ params: { batchId }, body, caller }, deps) {
    const { accountId } = caller;
    const now = deps.clock();
    // Before the batch is locked, because this works out what its recipients wait for.
    const paused =
      body.paused === undefined || isAnswer(body)
        ? null
        : holdBody(await requireBatchCall(deps.database.db, accountId, batchId), deps.env, now).paused;
    const change = await deps.database.db.transaction().execute(async (tx) => {
      // Locked before it is looked at: orders to one batch wait for each other.
      if ((await lockBatch(tx, accountId, batchId)) === null) throw batchCallNotFound();
      const stored = await requireStoredBatch(tx, accountId, batchId);
      const current = storedBatchBody(stored);
      const problems = contradictions(body, current, paused);
      const { timezone: unscheduledZone } = await accountDefaults(tx, accountId);
      const wanted = changeOf(body, current, now, unscheduledZone);
      problems.push(...retryProblems(operatorLimitsOf(deps.env), wanted.retry?.retryDelays ?? []));
      problems.push(...untilProblems(wanted, current, now));
      problems.push(...weightProblems(current.variants, wanted.variants));
      const who = { ruleId: current.routingRuleId, variants: current.variants ?? null };
      problems.push(...(await successProblems(tx, accountId, who, wanted)));
      problems.push(...(await maxCostProblems(tx, accountId, stored.gatewayId, wanted.maxCost ?? null)));
      if (problems.length > 0) throw invalid('The request is not valid', problems);
      const fields = Object.keys(wanted);
      if (fields.length > 0) {
        const result = await changeBatch(tx, accountId, batchId, wanted, { now, unscheduledZone });
        if (result === 'unknown') throw batchCallNotFound();
        if (result === 'started') throw conflict('The schedule can only be changed before the first call is placed');
        if (result === 'stopped') {
          throw conflict('The batch call has stopped: stopAfter, until and maxCost cannot be changed any more');
        }
        if (result === 'finished') {
          throw conflict('Only name and description of a finished batch call can be changed');
        }
        await recordAudit(tx, caller, 'batch-call.update', batchId, { fields });
      }
      return wanted;
    });
    // After the commit: what the recipients of a large batch wait for takes time, and the batch is locked no longer.
    const row = await requireBatchCall(deps.database.db, accountId, batchId);
    if (isTold(change)) deps.temporal.kick();
    const frees = [change.maxConcurrentCalls, change.stopAfter, change.until, change.maxCost, change.preDial];
    if (frees.some((changed) => changed !== undefined)) await wakeGateways(deps.database.db, [row.gatewayId]);
    return { status: 200, body: batchCallDetailBody(row, deps) };
  },
});
