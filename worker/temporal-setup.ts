import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import proto from '@temporalio/proto'; // CommonJS: Node finds no named exports in it
import { type ScheduledWorkflowName, searchAttributeNames } from '../domain/workflow/contract.js';
import { scheduleIdOf } from '../domain/workflow/ids.js';

const { INDEXED_VALUE_TYPE_KEYWORD } = proto.temporal.api.enums.v1.IndexedValueType;

/** How long one request to Temporal may take; adding a search attribute takes it seconds. */
const answerWithinMs = 20_000;

/**
 * Registers the search attributes of ours that the server does not know. @returns those that were missing
 *
 * @param withinMs for each of two requests
 */
export async function registerSearchAttributes(
  client: Client,
  namespace: string,
  withinMs: number = answerWithinMs,
): Promise<string[]> {
  const { operatorService } = client.connection;
  const soon = <T>(ask: () => Promise<T>): Promise<T> => client.withDeadline(Date.now() + withinMs, ask);
  const { customAttributes } = await soon(() => operatorService.listSearchAttributes({ namespace }));
  const missing = Object.values(searchAttributeNames).filter((name) => customAttributes[name] === undefined);
  if (missing.length > 0) {
    const searchAttributes = Object.fromEntries(missing.map((name) => [name, INDEXED_VALUE_TYPE_KEYWORD]));
    await soon(() => operatorService.addSearchAttributes({ namespace, searchAttributes }));
  }
  return missing;
}

/** Makes a schedule that starts a workflow without arguments again and again. @returns false if it is there already */
async function createSchedule(
  client: Client,
  taskQueue: string,
  {
    workflow,
    every,
    catchupWindow,
  }: { readonly workflow: ScheduledWorkflowName; readonly every: Every; readonly catchupWindow: Every },
  withinMs: number = answerWithinMs,
): Promise<boolean> {
  const id = scheduleIdOf(taskQueue, workflow);
  try {
    await client.withDeadline(Date.now() + withinMs, () =>
      client.schedule.create({
        scheduleId: id,
        spec: { intervals: [{ every }] },
        policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
        action: { type: 'startWorkflow', workflowType: workflow, taskQueue, workflowId: id, args: [] },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning) return false;
    throw error;
  }
}

type Every = '30 seconds' | '1 minute' | '5 minutes' | '1 hour';

/** Makes the schedule that runs the watchdog every 30 s. @returns false if it is there already */
export const createWatchdogSchedule = (client: Client, taskQueue: string, withinMs?: number): Promise<boolean> =>
  createSchedule(client, taskQueue, { workflow: 'watchdog', every: '30 seconds', catchupWindow: '1 minute' }, withinMs);

/**
 * Makes the schedule that deletes what is older than it may be, every hour. How old that is, each round reads from the
 * settings of its worker. @returns false if it is there already
 */
export const createRetentionSchedule = (client: Client, taskQueue: string): Promise<boolean> =>
  createSchedule(client, taskQueue, { workflow: 'retention', every: '1 hour', catchupWindow: '1 hour' });

/** Makes the schedule that compares LiveKit's inbound numbers with ours, every 5 minutes. @returns false if it is there already */
export const createInboundSchedule = (client: Client, taskQueue: string): Promise<boolean> =>
  createSchedule(client, taskQueue, { workflow: 'reconcileInbound', every: '5 minutes', catchupWindow: '1 minute' });
