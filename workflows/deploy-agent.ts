import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.js';
import type { DeployAgentInput } from '../domain/workflow/contract.js';

const { checkDeployment, goLive } = proxyActivities<Activities>({
  // It waits for an agent worker of the region.
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 ms', maximumInterval: '10 seconds' },
});

/** Puts a version of an agent live, or has its deployment say why that cannot be. */
export async function deployAgent(input: DeployAgentInput): Promise<void> {
  if (await checkDeployment(input)) await goLive(input);
}
