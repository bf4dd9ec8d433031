import { setWorkflowOptions } from '@temporalio/workflow';
import { versionedWorkerMark } from '../domain/workflow/worker-versions.js';

/**
 * Has a workflow end with the version of the workers that began it (ADR 50). Temporal refuses the tasks of a worker without a version
 * that says so, which is why a worker with one marks the code that it loads.
 */
export function pinToVersion(workflow: (...args: never[]) => Promise<unknown>): void {
  if (versionedWorkerMark in globalThis) setWorkflowOptions({ versioningBehavior: 'PINNED' }, workflow);
}
