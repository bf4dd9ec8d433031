import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { Registry } from 'prom-client';
import { createActivities } from '../activities/create-activities.js';
import type { CampaignQuotas, DeploySettings, FetchOutside, InboundCarrier } from '../activities/deps.js';
import type { RecordingStore } from '../activities/recording-objects.js';
import type { ModelSettings } from '../domain/agent/model-endpoints.js';
import { compareStores } from '../activities/watchdog.js';
import type { Database } from '../db/client.js';
import { databaseIdentity } from '../db/queries/upkeep/database-identity.js';
import { startingReconciliationId } from '../domain/workflow/ids.js';
import type { Logger } from '../platform/logger.js';
import type { SecretBox } from '../platform/secret-box.js';
import { noTracing, type Tracing } from '../platform/tracing.js';
import { createCampaignSchedules } from './campaign-schedules.js';
import { countFailures } from './count-failures.js';
import { createWorkers, type WorkerSettings } from './create-workers.js';
import { requireOwnQueue, workerIdentity } from './own-queue.js';
import { createStrandedVersions } from './stranded-versions.js';
import { createWorkerVersions, requireVersions } from './worker-versions.js';
import { createOutboxSender } from './outbox-sender.js';
import { sweepOutbox } from './outbox-sweeper.js';
import { readTranscriptsOf } from './transcript-reader.js';
import {
  createInboundSchedule,
  createRetentionSchedule,
  createWatchdogSchedule,
  registerSearchAttributes,
} from './temporal-setup.js';
import { traceActivities } from './trace-activities.js';
import { createWorkflowControl } from './workflow-control.js';

export interface WorkerDeps {
  readonly temporal: {
    readonly address: string;
    readonly namespace: string;
    readonly taskQueue: string;
    /** Turns TLS on. */
    readonly apiKey?: string | undefined;
  };
  /** OUTDIAL_WORKER_BUILD_ID */
  readonly buildId?: string | undefined;
  readonly database: Database;
  readonly poolSize: number;
  readonly logger: Logger;
  /** Where spans go; omitted: nowhere. */
  readonly tracing?: Tracing | undefined;
  /** Omitted: nothing is counted. */
  readonly metrics?: Registry | undefined;
  readonly secretBox: SecretBox;
  readonly fetchOutside: FetchOutside;
  readonly deploy: DeploySettings;
  readonly campaignQuotas?: CampaignQuotas | undefined;
  /** Omitted: there are no inbound calls here. */
  readonly inbound?: InboundCarrier | undefined;
  readonly languageModels: ModelSettings;
  /** OUTDIAL_CALLS_PER_WORKFLOW */
  readonly callsPerWorkflow?: number | undefined;
  /** Where recordings are moved to. */
  readonly recordings?: RecordingStore | undefined;
  /** OUTDIAL_RETENTION_DAYS */
  readonly retentionDays?: number | undefined;
  /** OUTDIAL_RECORDING_RETENTION_DAYS */
  readonly recordingRetentionDays?: number | undefined;
  /** OUTDIAL_HISTORY_DAYS */
  readonly historyDays?: number | undefined;
  /** Omitted: the bundle that `npm run build` made. */
  readonly workflowBundle?: WorkerSettings['workflowBundle'];
}

export interface RunningWorker {
  /** Lets work under way finish for some seconds, and resolves when everything is closed. */
  stop(): Promise<void>;
  /** Resolves after `stop`; rejects if the worker cannot go on. */
  readonly done: Promise<void>;
}

/** How often the schedules and search attributes are checked: a server whose data was deleted has lost them. */
const checkEveryMs = 10_000;

const builtBundle = { codePath: fileURLToPath(new URL('../workflows/bundle/workflows.bundle.js', import.meta.url)) };

/**
 * Starts the worker: workflows, activities, the outbox sweeper, the reader of transcripts and the watchdog.
 *
 * @throws if Temporal cannot be reached, knows no versions of workers and this one has one, or serves another database in this task queue
 */
export async function startWorker(deps: WorkerDeps): Promise<RunningWorker> {
  const { database, logger } = deps;
  const { address, namespace, taskQueue, apiKey } = deps.temporal;
  const access = { address, ...(apiKey === undefined ? {} : { apiKey, tls: true }) };
  const connection = await NativeConnection.connect(access);
  const clientConnection = await Connection.connect(access);
  const client = new Client({ connection: clientConnection, namespace });
  const workflows = createWorkflowControl(client, taskQueue);
  const campaignSchedules = createCampaignSchedules(client, taskQueue);
  const strandedVersions = createStrandedVersions(createWorkerVersions(client, namespace, taskQueue), logger);
  const outbox = createOutboxSender(workflows, database.db, logger);
  const kickOutbox = (): void => outbox.kick();
  const stopping = new AbortController();

  /** Makes missing schedules and search attributes. @returns whether something was missing */
  async function prepareTemporal(): Promise<boolean> {
    const missing = await registerSearchAttributes(client, namespace).catch((error: unknown) => {
      // Temporal Cloud does not let workers do this; docs/operating.md says how it is done there.
      logger.warn({ err: error }, 'the search attributes of Temporal could not be registered; trying again');
      return [];
    });
    await createRetentionSchedule(client, taskQueue);
    if (deps.inbound !== undefined) await createInboundSchedule(client, taskQueue);
    const created = await createWatchdogSchedule(client, taskQueue);
    return created || missing.length > 0;
  }

  async function watch(): Promise<void> {
    for (let compared = false; !stopping.signal.aborted;) {
      try {
        if ((await prepareTemporal()) || !compared) {
          // Undoes manual changes of the numbers that LiveKit knows.
          if (deps.inbound !== undefined) await workflows.start('reconcileInbound', startingReconciliationId, {});
          const found = await compareStores({
            ...{ database, workflows, campaignSchedules, strandedVersions, kickOutbox, logger },
          });
          logger.info(found, 'the watchdog compared Temporal with Postgres');
          compared = true;
        }
      } catch (error) {
        compared = false;
        logger.warn({ err: error }, 'the watchdog could not compare Temporal with Postgres; trying again');
      }
      await delay(checkEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined); // the condition sees it
    }
  }

  const databaseId = await databaseIdentity(database.db);
  await requireOwnQueue(client, { namespace, taskQueue, databaseId, logger });
  if (deps.buildId !== undefined) await requireVersions(client, namespace, taskQueue);
  await registerSearchAttributes(client, namespace).catch(() => []); // watch() logs the error and tries again
  const workers = await createWorkers({
    connection,
    namespace,
    taskQueue,
    workflowBundle: deps.workflowBundle ?? builtBundle,
    activities: createActivities({ ...deps, workflows, campaignSchedules, strandedVersions, kickOutbox }),
    poolSize: deps.poolSize,
    buildId: deps.buildId,
    identity: workerIdentity(databaseId),
    interceptors: {
      activity: [
        countFailures(deps.metrics ?? new Registry()),
        ...(traceActivities(deps.tracing ?? noTracing).activity ?? []),
      ],
    },
  });
  const stop = (): void => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const run = async (): Promise<void> => {
    try {
      // If one worker fails, the others must not go on alone.
      const running = workers.map((worker) => worker.run().finally(stop));
      const side = [
        watch(),
        sweepOutbox(outbox, stopping.signal),
        readTranscriptsOf(database.db, logger, stopping.signal),
      ];
      const results = await Promise.allSettled([...running, ...side]);
      await outbox.settle();
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    } finally {
      await clientConnection.close();
      await connection.close();
    }
  };
  const done = run();
  done.catch(() => undefined); // no unhandled rejection: `done` and `stop` pass the error on
  return {
    done,
    stop: async () => {
      stop();
      await done;
    },
  };
}
