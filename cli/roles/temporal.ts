import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import type { WorkflowControl } from '../../activities/deps.js';
import type { Env } from '../../platform/env.js';
import { createWorkerVersions, type WorkerVersions } from '../../worker/worker-versions.js';
import { createWorkflowControl } from '../../worker/workflow-control.js';

/** Temporal for processes that run no workflows: they start and signal them. */
export interface TemporalAccess {
  readonly workflows: WorkflowControl;
  isReachable(): Promise<boolean>;
  /** @returns whether a workflow of this id is running */
  isRunning(workflowId: string): Promise<boolean>;
  /** Of Temporal's Worker Versioning. */
  readonly workerVersions: WorkerVersions;
  close(): Promise<void>;
}

const answerWithinMs = 2_000;

export const temporalSettings = (env: Env) => ({
  address: env.TEMPORAL_ADDRESS,
  namespace: env.TEMPORAL_NAMESPACE,
  taskQueue: env.OUTDIAL_TASK_QUEUE,
  ...(env.TEMPORAL_API_KEY === undefined ? {} : { apiKey: env.TEMPORAL_API_KEY }),
});

/** Connects on first use, and again after a failure: an outage of Temporal delays work and stops nothing. */
export function openTemporal(env: Env): TemporalAccess {
  const { address, namespace, taskQueue, ...access } = temporalSettings(env);
  const connection = Connection.lazy({ address, ...access, ...('apiKey' in access ? { tls: true } : {}) });
  const client = new Client({ connection, namespace });
  return {
    workflows: createWorkflowControl(client, taskQueue),
    workerVersions: createWorkerVersions(client, namespace, taskQueue),
    isReachable: async () => {
      try {
        await connection.withDeadline(Date.now() + answerWithinMs, () =>
          connection.workflowService.describeNamespace({ namespace }),
        );
        return true;
      } catch {
        return false; // that it is not reachable is the answer
      }
    },
    isRunning: async (workflowId) => {
      try {
        const { status } = await client.withDeadline(Date.now() + answerWithinMs, () =>
          client.workflow.getHandle(workflowId).describe(),
        );
        return status.name === 'RUNNING';
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return false;
        throw error;
      }
    },
    close: () => connection.close(),
  };
}
