import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import type { WorkflowControl } from '../../activities/deps.js';
import type { Env } from '../../platform/env.js';
import { temporalTrouble, type TemporalTrouble } from '../../worker/temporal-words.js';
import { createWorkerVersions, type WorkerVersions } from '../../worker/worker-versions.js';
import { createWorkflowControl } from '../../worker/workflow-control.js';

/** Temporal for processes that run no workflows: they start and signal them. */
export interface TemporalAccess {
  readonly workflows: WorkflowControl;
  isReachable(): Promise<boolean>;
  /**
   * Asks once, and waits for a server that has much to do.
   *
   * @returns why Temporal cannot be used; null: it can
   */
  whyNot(withinMs?: number): Promise<TemporalTrouble | null>;
  /** An error of Temporal with words for a person and what to do. One of something else stays as it is. */
  inWords(error: unknown): unknown;
  /** @returns whether a workflow of this id is running */
  isRunning(workflowId: string): Promise<boolean>;
  /** Of Temporal's Worker Versioning. */
  readonly workerVersions: WorkerVersions;
  close(): Promise<void>;
}

const answerWithinMs = 2_000;
/** Of commands, for which a person waits. */
export const commandsWaitMs = 20_000;

export const temporalSettings = (env: Env) => ({
  address: env.TEMPORAL_ADDRESS,
  namespace: env.TEMPORAL_NAMESPACE,
  taskQueue: env.OUTDIAL_TASK_QUEUE,
  ...(env.TEMPORAL_API_KEY === undefined ? {} : { apiKey: env.TEMPORAL_API_KEY }),
});

export const sentencesOf = ({ message, remedy }: TemporalTrouble): string => `${message} ${remedy}`;

/**
 * Connects on first use, and again after a failure: an outage of Temporal delays work and stops nothing.
 *
 * @param readWithinMs see `answerWithinMs` of `createWorkerVersions`
 */
export function openTemporal(env: Env, readWithinMs?: number): TemporalAccess {
  const { address, namespace, taskQueue, ...access } = temporalSettings(env);
  const options = { address, ...access, ...('apiKey' in access ? { tls: true } : {}) };
  const connection = Connection.lazy(options);
  const client = new Client({ connection, namespace });
  const troubleOf = (error: unknown): TemporalTrouble | undefined => temporalTrouble(error, { address, namespace });
  return {
    workflows: createWorkflowControl(client, taskQueue),
    workerVersions: createWorkerVersions(client, namespace, taskQueue, readWithinMs),
    inWords: (error) => {
      const trouble = troubleOf(error);
      return trouble === undefined ? error : new Error(sentencesOf(trouble), { cause: error });
    },
    whyNot: async (withinMs = commandsWaitMs) => {
      // Without interceptors nothing is asked again, and the first failure is the answer.
      const once = Connection.lazy({ ...options, interceptors: [] });
      try {
        await once.withDeadline(Date.now() + withinMs, () => once.workflowService.describeNamespace({ namespace }));
        return null;
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble === undefined) throw error;
        return trouble;
      } finally {
        await once.close();
      }
    },
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
        const { status } = await client.withDeadline(Date.now() + commandsWaitMs, () =>
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
