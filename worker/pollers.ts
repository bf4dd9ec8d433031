import type { Client } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto'; // CommonJS: Node finds no named exports in it

const { TASK_QUEUE_TYPE_WORKFLOW } = proto.temporal.api.enums.v1.TaskQueueType;

/** A worker asks anew at least once a minute. One that was ended stays in Temporal's list for five. */
const silentMs = 90_000;

/** A worker that asks Temporal for workflows of a task queue. */
export interface Poller {
  /** As it calls itself. */
  readonly identity: string;
  /** null: it has no version. */
  readonly buildId: string | null;
}

/** Workers that have asked for workflows of a task queue within the last minute and a half. @param withinMs for Temporal's answer */
export async function livePollers(
  client: Client,
  namespace: string,
  taskQueue: string,
  withinMs: number,
): Promise<readonly Poller[]> {
  const { pollers } = await client.withDeadline(Date.now() + withinMs, () =>
    client.connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: TASK_QUEUE_TYPE_WORKFLOW,
    }),
  );
  const sinceMs = Date.now() - silentMs;
  return pollers
    .filter(({ lastAccessTime }) => (optionalTsToMs(lastAccessTime) ?? 0) >= sinceMs)
    .map(({ identity, deploymentOptions }) => ({
      identity: identity ?? '',
      buildId: deploymentOptions?.buildId ?? null,
    }));
}
