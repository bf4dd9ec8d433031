import { readFileSync } from 'node:fs';
import {
  type ActivityInterceptorsFactory,
  type NativeConnection,
  Worker,
  type WorkerDeploymentOptions,
  type WorkerInterceptors,
  type WorkerOptions,
} from '@temporalio/worker';
import type { Activities } from '../activities/create-activities.js';
import { versionedWorkerMark } from '../domain/workflow/worker-versions.js';
import { deploymentOf, documentsQueue, filesQueue, outsideQueue } from '../domain/workflow/task-queues.js';
import { scrubFailures } from './scrub-failures.js';
import { shareOfAccount } from './share-of-account.js';

/** Files, and documents, that one worker reads at once: each has its own process, which may take half a gigabyte. */
export const filesAtOnce = 2;
export const documentsAtOnce = 2;

/** Activities that wait for servers of others at once, in one worker: each does little but wait, up to a minute or two. */
const outsideAtOnce = 400;

/** Of these, what one account may have of each kind: ten of them can be kept waiting before the others are late. */
const outsideAtOnceOfAccount = 40;

export interface WorkerSettings {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly taskQueue: string;
  readonly workflowBundle: { readonly codePath: string } | { readonly code: string };
  readonly activities: Activities;
  /** Connections of this process to Postgres: activities beyond a few for each would only wait for one. */
  readonly poolSize: number;
  /** OUTDIAL_WORKER_BUILD_ID; omitted: the workers have no version. */
  readonly buildId?: string | undefined;
  /** How the workers call themselves in Temporal; omitted: by process and machine. */
  readonly identity?: string;
  /** Omitted: none. */
  readonly interceptors?: WorkerInterceptors;
}

/** Activities that wait for servers of others. */
const waitingForOthers: ReadonlySet<string> = new Set<keyof Activities>([
  ...(['checkDeployment', 'fetchDocument', 'makeAnalysis', 'makeSummary', 'tryDelivery'] as const),
]);

const pollers = { type: 'autoscaling', minimum: 1, initial: 2, maximum: 20 } as const;

/**
 * All its queues belong to one deployment of Temporal's Worker Versioning. Workflows move to the current version with their next
 * task, but for those that are pinned where they are defined: batches and calls.
 */
const versionOf = (taskQueue: string, buildId: string): WorkerDeploymentOptions => ({
  useWorkerVersioning: true,
  version: { deploymentName: deploymentOf(taskQueue), buildId },
  defaultVersioningBehavior: 'AUTO_UPGRADE',
});

/** The workflows' code, told that its worker has a version: see `pinToVersion`. */
const marked = (bundle: WorkerSettings['workflowBundle']): { readonly code: string } => ({
  code: `globalThis.${versionedWorkerMark} = true;\n${'code' in bundle ? bundle.code : readFileSync(bundle.codePath, 'utf8')}`,
});

/**
 * A worker process has four Temporal workers: quick work, what waits for servers of others, files of recipients, and documents. None
 * delays another.
 */
export async function createWorkers(settings: WorkerSettings): Promise<readonly Worker[]> {
  const { connection, namespace, taskQueue, workflowBundle, activities, poolSize, buildId, identity } = settings;
  const interceptorsWith = (...own: readonly ActivityInterceptorsFactory[]): WorkerInterceptors => ({
    ...settings.interceptors,
    // The outermost scrubs: what any of them throws goes into histories.
    activity: [scrubFailures, ...own, ...(settings.interceptors?.activity ?? [])],
  });
  const common = {
    connection,
    namespace,
    ...(identity === undefined ? {} : { identity }),
    interceptors: interceptorsWith(),
    activityTaskPollerBehavior: pollers,
    // Activities under way may finish within this time; longer ones start again on another worker.
    shutdownGraceTime: '5 seconds',
    shutdownForceTime: '25 seconds',
    ...(buildId === undefined ? {} : { workerDeploymentOptions: versionOf(taskQueue, buildId) }),
  } satisfies Partial<WorkerOptions>;
  const { parseBatch, readDocument, ...quick } = activities;
  const main = await Worker.create({
    ...common,
    taskQueue,
    workflowBundle: buildId === undefined ? workflowBundle : marked(workflowBundle),
    // What waits for servers of others, too: an older version of its workflow sends it to this queue.
    activities: quick,
    reuseV8Context: true,
    workflowTaskPollerBehavior: pollers,
    maxConcurrentActivityTaskExecutions: poolSize * 4,
    maxCachedWorkflows: 1_000,
    // After a worker's death other workers get its workflows within this time.
    stickyQueueScheduleToStartTimeout: '5 seconds',
  });
  const outside = await Worker.create({
    ...common,
    interceptors: interceptorsWith(shareOfAccount(outsideAtOnceOfAccount)),
    taskQueue: outsideQueue(taskQueue),
    activities: Object.fromEntries(Object.entries(activities).filter(([name]) => waitingForOthers.has(name))),
    maxConcurrentActivityTaskExecutions: outsideAtOnce,
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
  return [main, outside, files, documents];
}
