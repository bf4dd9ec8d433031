import { z } from 'zod';
import { answeredFields, BatchName, changedFields, ScheduleInput } from '../../domain/batch/form-fields.js';
import { RetryInput } from '../../domain/batch/retry-input.js';
import type { Problem } from '../../domain/errors.js';
import { startOf } from '../../domain/batch/schedule.js';
import { isObject, textAt } from '../../domain/input/json-value.js';
import type { Env } from '../../platform/env.js';
import { outboundUrlProblem } from '../../platform/outbound-url.js';
import { readOnly } from '../read-only.js';
import { webhookRules } from '../webhook-rules.js';

/** `retry` as answers have it is taken too: `enabled` and `maxAttempts` follow from the rest and must not contradict it. */
function askedRetry(value: unknown): unknown {
  if (!isObject(value) || !('enabled' in value || 'maxAttempts' in value)) return value;
  const { enabled, maxAttempts, ...asked } = value;
  const delays = Array.isArray(asked.retryDelays) ? asked.retryDelays.length : 0;
  if (maxAttempts !== undefined && maxAttempts !== delays) return value;
  if (enabled !== false) return enabled === undefined || enabled === true ? asked : value;
  const listed = [asked.retryOn ?? [], asked.retryDelays ?? []].flat();
  return listed.length === 0 ? null : value;
}

/** Part of an answer that never changes, or only with a field of this body. */
const asItIs = readOnly();
/** A field of the answer that changes without the client: its value is not compared. */
const passing = z.unknown().optional().describe('Read-only: ignored');

/** Fields that look as if they could be set: operations of their own change them. */
const steeredBy = {
  status: z.string().optional().describe('Read-only: see cancel'),
  paused: z.boolean().optional().describe('Read-only: see pause and resume'),
};

const { name, ...changedSettings } = changedFields;

type SettingsThatStay = Exclude<keyof typeof answeredFields, keyof typeof changedFields>;

/** Settings that are answered and cannot be changed. */
const settingsThatStay = Object.fromEntries(
  Object.keys(answeredFields)
    .filter((field) => !(field in changedFields))
    .map((field) => [field, asItIs]),
) as Record<SettingsThatStay, typeof asItIs>;

/** Read-only fields: rejected unless they are sent back unchanged. */
export const readOnlyFields = {
  batchId: asItIs,
  phoneNumberId: asItIs,
  phoneNumber: asItIs,
  routingRuleId: asItIs,
  timing: asItIs,
  timezone: asItIs,
  scheduledDate: asItIs,
  scheduledTime: asItIs,
  file: asItIs,
  simulated: asItIs,
  retriedFrom: asItIs,
  ...settingsThatStay,
  createdAt: asItIs,
};

const passingFields = {
  recordsUploaded: passing,
  recordsRejected: passing,
  recordsCorrected: passing,
  parseError: passing,
  timestamp: passing,
  startsAt: passing,
  updatedAt: passing,
  pausedReason: passing,
  pausedDetails: passing,
  callingWindowOpensAt: passing,
  progress: passing,
  counts: passing,
  cost: passing,
  waiting: passing,
  waitingFor: passing,
  report: passing,
  stoppedBy: passing,
  startedAt: passing,
  completedAt: passing,
};

/** The body of PATCH: what may be changed, and the rest of what GET answers. */
export const UpdateBatchCallBody = z
  .strictObject({
    name,
    batchName: BatchName.optional().describe(
      'Another name of `name`, as answers have it; if both change, they must agree',
    ),
    ...changedSettings,
    retry: z
      .preprocess(askedRetry, RetryInput.nullish())
      .describe(
        'Until the batch call ends, for calls that end from now on: retries planned before are made. null: no retries',
      ),
    ...readOnlyFields,
    ...steeredBy,
    ...passingFields,
  })
  .meta({
    id: 'UpdateBatchCall',
    examples: [{ name: 'March reminders', callingWindow: { from: '10:00', until: '18:00', timezone: 'recipient' } }],
  });

export type UpdateBatchCall = z.output<typeof UpdateBatchCallBody>;

/** Whether a client sends back what GET has answered a while ago, in which `status` and `paused` may have changed since. */
export const isAnswer = ({ updatedAt }: UpdateBatchCall): boolean => updatedAt !== undefined;

/**
 * What is asked by fields that operations of their own change: who sends one by itself means it, and would take the 200 for a batch
 * that is paused or cancelled.
 *
 * @param current as GET answers it; `paused` null: not asked for
 */
export function steeringProblems(
  body: UpdateBatchCall,
  current: { readonly status: string; readonly paused: boolean | null },
): Problem[] {
  const { status, paused } = body;
  if (isAnswer(body)) return [];
  const problems: Problem[] = [];
  const refuse = (path: string, message: string) => problems.push({ path, code: 'INVALID_VALUE', message });
  if (status !== undefined && status !== current.status && status.startsWith('cancel')) {
    refuse('status', 'cannot be set: POST …/cancel ends a batch call');
  }
  if (paused !== undefined && current.paused !== null && paused !== current.paused) {
    refuse('paused', `cannot be set: POST …/${paused ? 'pause' : 'resume'} does that`);
  }
  return problems;
}

/** Why the schedule cannot be, in the words of create: what its shape alone does not tell. */
export function scheduleProblems(body: unknown, now: Date): readonly Problem[] {
  const schedule = isObject(body) ? ScheduleInput.safeParse(body.schedule) : undefined;
  if (schedule?.success !== true) return [];
  const asked = asSchedule(schedule.data);
  const problemsIn = (zone?: string): readonly Problem[] => {
    const found = startOf(asked, now, zone);
    return 'problems' in found ? found.problems : [];
  };
  // Without a zone it has the account's, which is not known here: reported is what is wrong on either side of the world.
  const everywhere = ['Etc/GMT+12', 'Etc/GMT-14'].every((zone) => problemsIn(zone).length > 0);
  return everywhere ? problemsIn() : [];
}

/** Why the endpoint that is asked before calls cannot be asked, in the words of create. */
export function preDialProblems(body: unknown, env: Env): readonly Problem[] {
  const url = isObject(body) ? textAt(body.preDial, 'url') : undefined;
  const message = url === undefined ? null : outboundUrlProblem(url, webhookRules(env));
  return message === null ? [] : [{ path: 'preDial.url', code: 'INVALID_VALUE', message }];
}

/** A null zone counts as omitted. */
export const asSchedule = ({ date, time, timezone }: z.output<typeof ScheduleInput>) => ({
  date,
  time,
  ...(timezone ? { timezone } : {}),
});
