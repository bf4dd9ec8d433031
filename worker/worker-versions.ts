import { setTimeout as pause } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto'; // CommonJS: Node finds no named exports in it
import type { WorkerVersion } from '../domain/workflow/worker-versions.js';
import { scheduleIdOf } from '../domain/workflow/ids.js';
import { deploymentOf } from '../domain/workflow/task-queues.js';
import { livePollers } from './pollers.js';
import { grpc, grpcCodeOf } from './temporal-words.js';

const { WORKER_DEPLOYMENT_VERSION_STATUS_INACTIVE: inactive, WORKER_DEPLOYMENT_VERSION_STATUS_DRAINED: drained } =
  proto.temporal.api.enums.v1.WorkerDeploymentVersionStatus;
/** That there is nothing to see: an older server, or one that lets this process not see it. Versions do not work there. */
const meansNone: readonly (number | undefined)[] = [grpc.notFound, grpc.permissionDenied, grpc.unimplemented];
/** That an order may be carried out later. */
const mayPass: readonly (number | undefined)[] = [grpc.failedPrecondition, grpc.deadlineExceeded];

/** Temporal's list of workflows is behind the truth by about a second, of a large cluster by more. */
const settledMs = 30_000;
const requestsAtOnce = 10;
/** Of the roles, which ask again and again. */
const rolesWaitMs = 5_000;
/** Temporal carries an order out in all its task queues before it answers. */
const carriedOutWithinMs = 20_000;
const mostBatches = 10_000;
/** A worker that has started asks for work of its queues one after the other; a server that has much to do answers late. */
const allQueuesWithinMs = 60_000;
const lookAgainMs = 500;

/** The workers' versions in Temporal (Worker Versioning). Without OUTDIAL_WORKER_BUILD_ID there are none. */
export interface WorkerVersions {
  /** Workers without a version come first. @returns nothing if no worker ever had a version */
  list(): Promise<readonly WorkerVersion[]>;
  /**
   * Whether a worker of any version, or without one, has asked for work within the last minute and a half. Where this process may not see
   * who asks, they count as there.
   */
  hasWorker(): Promise<boolean>;
  /** Ids of running batches whose workflows are pinned to a version, at most 10,000. */
  batchesOn(buildId: string): Promise<readonly string[]>;
  /**
   * What new workflows begin on from now on, and those that are not pinned go on with. null: workers without a version. Waits up to a minute
   * for its workers to ask for work of all queues.
   */
  makeCurrent(buildId: string | null): Promise<void>;
  /** Has a part of the new workflows begin on a version. */
  ramp(buildId: string, percent: number): Promise<void>;
  /**
   * Ends the workflows that are pinned to a version. The watchdog starts them again from Postgres, on the current version, and is
   * asked to do so now.
   *
   * @returns how many there were
   */
  release(buildId: string): Promise<number>;
}

/** @throws if this Temporal knows no versions of workers, or does not answer in time */
export async function requireVersions(
  client: Client,
  namespace: string,
  taskQueue: string,
  withinMs = carriedOutWithinMs,
): Promise<void> {
  try {
    const deploymentName = deploymentOf(taskQueue);
    await client.withDeadline(Date.now() + withinMs, () =>
      client.connection.workflowService.describeWorkerDeployment({ namespace, deploymentName }),
    );
  } catch (error) {
    const code = grpcCodeOf(error);
    if (code === grpc.notFound) return;
    if (code === grpc.unimplemented) {
      throw new Error(
        'OUTDIAL_WORKER_BUILD_ID is set, and this Temporal does not know Worker Versioning: it needs a server 1.29.1 or newer.',
        { cause: error },
      );
    }
    throw error;
  }
}

/** @param answerWithinMs how long Temporal may take to answer each question; orders have their own limit */
export function createWorkerVersions(
  client: Client,
  namespace: string,
  taskQueue: string,
  answerWithinMs = rolesWaitMs,
): WorkerVersions {
  const { workflowService } = client.connection;
  const deploymentName = deploymentOf(taskQueue);
  const soon = <T>(ask: () => Promise<T>): Promise<T> => client.withDeadline(Date.now() + answerWithinMs, ask);
  const pinnedTo = (buildId: string): string =>
    `TemporalWorkerDeploymentVersion = '${`${deploymentName}:${buildId}`.replaceAll("'", "\\'")}' AND ` +
    "TemporalWorkflowVersioningBehavior = 'Pinned' AND ExecutionStatus = 'Running'";
  const countPinned = async (buildId: string): Promise<number> => {
    const { count } = await soon(() =>
      workflowService.countWorkflowExecutions({ namespace, query: pinnedTo(buildId) }),
    );
    return count.toNumber();
  };

  async function deployment() {
    try {
      return (await soon(() => workflowService.describeWorkerDeployment({ namespace, deploymentName })))
        .workerDeploymentInfo;
    } catch (error) {
      if (meansNone.includes(grpcCodeOf(error))) return null;
      throw error;
    }
  }

  /** The build ids that workers ask for work with; null among them: without a version. */
  async function polledVersions(): Promise<ReadonlySet<string | null>> {
    const pollers = await livePollers(client, namespace, taskQueue, answerWithinMs);
    return new Set(pollers.map(({ buildId }) => buildId));
  }

  /**
   * Temporal refuses a version while its workers do not ask for work of every queue that the current version serves. It may also answer
   * too late: the orders say what shall be, so they are given again.
   */
  async function order(change: () => Promise<unknown>): Promise<void> {
    const untilMs = performance.now() + allQueuesWithinMs;
    for (;;) {
      try {
        await client.withDeadline(Date.now() + carriedOutWithinMs, change);
        return;
      } catch (error) {
        if (!mayPass.includes(grpcCodeOf(error)) || performance.now() >= untilMs) throw error;
        await pause(lookAgainMs);
      }
    }
  }

  async function terminate(query: string): Promise<number> {
    let count = 0;
    const rest = client.workflow.list({ query })[Symbol.asyncIterator]();
    const one = async (): Promise<void> => {
      for (;;) {
        const next = await soon(() => rest.next());
        if (next.done === true) return;
        const { workflowId, runId } = next.value;
        try {
          const handle = client.workflow.getHandle(workflowId, runId);
          await soon(() => handle.terminate('Started again on another version of the workers.'));
          count += 1;
        } catch (error) {
          if (!(error instanceof WorkflowNotFoundError)) throw error; // it has ended meanwhile
        }
      }
    };
    await Promise.all(Array.from({ length: requestsAtOnce }, one));
    return count;
  }

  return {
    async list() {
      const info = await deployment();
      if (info === null || info === undefined) return [];
      const polled = await polledVersions();
      const routing = info.routingConfig;
      const currentId = routing?.currentDeploymentVersion?.buildId ?? null;
      const ramp = routing?.rampingVersionPercentage ?? 0;
      const rampingId = ramp > 0 ? (routing?.rampingDeploymentVersion?.buildId ?? null) : undefined;
      const roleOf = (buildId: string | null): Pick<WorkerVersion, 'role' | 'rampPercent'> => ({
        role: buildId === currentId ? 'current' : buildId === rampingId ? 'ramping' : null,
        rampPercent: buildId !== currentId && buildId === rampingId ? ramp : null,
      });
      const versions: WorkerVersion[] = [];
      for (const { deploymentVersion, status, lastDeactivationTime } of info.versionSummaries ?? []) {
        const buildId = deploymentVersion?.buildId ?? '';
        const role = roleOf(buildId);
        const pinned = status === drained ? 0 : await countPinned(buildId);
        const sinceMs = Date.now() - (optionalTsToMs(lastDeactivationTime) ?? 0);
        versions.push({
          ...{ buildId, ...role, hasWorker: polled.has(buildId), pinned, isNew: status === inactive },
          mayEnd: role.role === null && status !== inactive && pinned === 0 && sinceMs > settledMs,
        });
      }
      versions.sort((a, b) => ((a.buildId ?? '') < (b.buildId ?? '') ? -1 : 1));
      const unversioned = roleOf(null);
      return [
        {
          ...{ buildId: null, ...unversioned, hasWorker: polled.has(null), pinned: 0, isNew: false },
          mayEnd: unversioned.role === null,
        },
        ...versions,
      ];
    },

    async hasWorker() {
      try {
        return (await polledVersions()).size > 0;
      } catch (error) {
        if (meansNone.includes(grpcCodeOf(error))) return true;
        throw error;
      }
    },

    async batchesOn(buildId) {
      const query = `${pinnedTo(buildId)} AND WorkflowType = 'batchCall'`;
      const batchIds: string[] = [];
      const found = client.workflow.list({ query, pageSize: 1_000 })[Symbol.asyncIterator]();
      while (batchIds.length < mostBatches) {
        const next = await soon(() => found.next());
        if (next.done === true) break;
        batchIds.push(next.value.workflowId);
      }
      return batchIds;
    },

    async makeCurrent(buildId) {
      await order(() =>
        workflowService.setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId: buildId ?? '' }),
      );
      // A ramp that is still there would go on taking its part.
      const info = await deployment();
      if ((info?.routingConfig?.rampingVersionPercentage ?? 0) > 0) {
        await order(() =>
          workflowService.setWorkerDeploymentRampingVersion({ namespace, deploymentName, buildId: '', percentage: 0 }),
        );
      }
    },

    async ramp(buildId, percentage) {
      await order(() =>
        workflowService.setWorkerDeploymentRampingVersion({ namespace, deploymentName, buildId, percentage }),
      );
    },

    async release(buildId) {
      // Batches first: one that is alive would start its children again at once, where it is.
      let count = await terminate(`${pinnedTo(buildId)} AND WorkflowType = 'batchCall'`);
      count += await terminate(pinnedTo(buildId));
      if (count > 0) {
        await soon(() => client.schedule.getHandle(scheduleIdOf(taskQueue, 'watchdog')).trigger());
      }
      return count;
    },
  };
}
