import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.js';
import type { DeployAgentInput } from '../domain/workflow/contract.js';
import { outsideQueue } from '../domain/workflow/task-queues.js';

const retry = { initialInterval: '200 ms', maximumInterval: '10 seconds' } as const;
// It asks models, and waits for an agent worker of the region.
const checked = { startToCloseTimeout: '2 minutes', heartbeatTimeout: '10 seconds', retry } as const;
const { goLive } = proxyActivities<Activities>({ startToCloseTimeout: '10 seconds', retry });

/** Puts a version of an agent live, or has its deployment say why that cannot be. */
export async function deployAgent(input: DeployAgentInput): Promise<void> {
  const { checkDeployment } = proxyActivities<Activities>({
    ...checked,
    taskQueue: outsideQueue(workflowInfo().taskQueue),
  });
  if (await checkDeployment(input)) await goLive(input);
}
