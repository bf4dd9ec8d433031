import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import proto from '@temporalio/proto'; // CommonJS: Node finds no named exports in it
import { searchAttributeNames } from '../workflows/contract.js';

const { INDEXED_VALUE_TYPE_KEYWORD } = proto.temporal.api.enums.v1.IndexedValueType;

/** Registers the search attributes of ours that the server does not know. @returns those that were missing */
export async function registerSearchAttributes(client: Client, namespace: string): Promise<string[]> {
  const { operatorService } = client.connection;
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(searchAttributeNames).filter((name) => customAttributes[name] === undefined);
  if (missing.length > 0) {
    await operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map((name) => [name, INDEXED_VALUE_TYPE_KEYWORD])),
    });
  }
  return missing;
}

/** Makes the schedule that runs the watchdog every 30 s. @returns false where it is there already */
export async function createWatchdogSchedule(client: Client, taskQueue: string): Promise<boolean> {
  try {
    await client.schedule.create({
      scheduleId: `${taskQueue}-watchdog`,
      spec: { intervals: [{ every: '30 seconds' }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
      action: {
        type: 'startWorkflow',
        workflowType: 'watchdog',
        taskQueue,
        workflowId: `${taskQueue}-watchdog`,
        args: [],
      },
    });
    return true;
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning) return false;
    throw error;
  }
}
