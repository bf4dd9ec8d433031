import { type NativeConnection, Worker, type WorkerInterceptors, type WorkerOptions } from '@temporalio/worker';
import type { Activities } from '../activities/create-activities.js';
import { documentsQueue, filesQueue } from '../domain/workflow/task-queues.js';

/** Files, and documents, that one worker reads at once: each has its own process, which may take half a gigabyte. */
export const filesAtOnce = 2;
export const documentsAtOnce = 2;

export interface WorkerSettings {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly taskQueue: string;
  readonly workflowBundle: { readonly codePath: string } | { readonly code: string };
  readonly activities: Activities;
  /** Connections of this process to Postgres: activities beyond a few for each would only wait for one. */
  readonly poolSize: number;
  /** Omitted: none. */
  readonly interceptors?: WorkerInterceptors;
}

const pollers = { type: 'autoscaling', minimum: 1, initial: 2, maximum: 20 } as const;

/** A worker process has three Temporal workers: quick work, files of recipients, and documents. None delays another. */
export async function createWorkers(settings: WorkerSettings): Promise<readonly Worker[]> {
  const { connection, namespace, taskQueue, workflowBundle, activities, poolSize } = settings;
  const common = {
    connection,
    namespace,
    interceptors: settings.interceptors ?? {},
    activityTaskPollerBehavior: pollers,
    // Activities under way may finish within this time; longer ones start again on another worker.
    shutdownGraceTime: '5 seconds',
    shutdownForceTime: '15 seconds',
  } satisfies Partial<WorkerOptions>;
  const { parseBatch, readDocument, ...quick } = activities;
  const main = await Worker.create({
    ...common,
    taskQueue,
    workflowBundle,
    activities: quick,
    reuseV8Context: true,
    workflowTaskPollerBehavior: pollers,
    maxConcurrentActivityTaskExecutions: poolSize * 4,
    maxCachedWorkflows: 1_000,
    // After a worker's death other workers get its workflows within this time.
    stickyQueueScheduleToStartTimeout: '5 seconds',
  });
  const files = await Worker.create({
    ...common,
    taskQueue: filesQueue(taskQueue),
    // Documents too: an older version of the workflow sends them to this queue.
    activities: { parseBatch, readDocument },
    maxConcurrentActivityTaskExecutions: filesAtOnce,
  });
  const documents = await Worker.create({
    ...common,
    taskQueue: documentsQueue(taskQueue),
    activities: { readDocument },
    maxConcurrentActivityTaskExecutions: documentsAtOnce,
  });
  return [main, files, documents];
}
