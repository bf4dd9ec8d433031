import { startAddedGroups } from '../db/queries/batches/added-groups.js';
import { allCampaigns } from '../db/queries/campaigns/campaigns.js';
import { forgottenRuns } from '../db/queries/campaigns/runs.js';
import { forgottenGroups } from '../db/queries/upkeep/forgotten-groups.js';
import { oldestHeldSnapshot } from '../db/queries/upkeep/held-snapshot.js';
import { endSilentCopies } from '../db/queries/upkeep/silent-copies.js';
import {
  openDeletions,
  openDeliveries,
  openDeployments,
  openIngestions,
  unfinishedBatches,
  unsettledSingleCalls,
  wakeForgottenGateways,
} from '../db/queries/upkeep/watchdog.js';
import { isAddedGroup } from '../domain/batch/fan-out.js';
import type { RequestedWorkflowName, SignalName, WorkflowInputs } from '../domain/workflow/contract.js';
import { groupWorkflowId, subjectOfWorkflow, workflowIdOf } from '../domain/workflow/ids.js';
import { withHeartbeat } from './heartbeat.js';
import { forEach, inPages } from './in-pages.js';
import { tellWaits } from './tell-waits.js';
import type { ActivityDeps } from './deps.js';

/** What a round of the watchdog has corrected. */
export interface WatchdogFindings {
  started: number;
  reminded: number;
  wokenGateways: number;
  endedSessions: number;
}

/** A snapshot that is held for longer slows the claim noticeably (docs/operating.md). */
const heldTooLongSeconds = 300;

/** The signal to a running workflow that has missed something. */
type Reminder = Extract<SignalName, 'cancel' | 'reconsider' | 'reload'>;

/** Of the failures of one round, how many are logged one by one. */
const mostLogged = 20;

/**
 * Compares Postgres, which says what must happen, with Temporal, and corrects Temporal: starts missing workflows, and signals
 * those that have missed something to read Postgres again. Ends transactions of processes that have stopped and hold locks that
 * others wait for. All of it is harmless if it was not needed.
 */
export async function compareStores({
  database: { db },
  workflows,
  campaignSchedules,
  strandedVersions,
  kickOutbox,
  logger,
}: Pick<
  ActivityDeps,
  'database' | 'workflows' | 'campaignSchedules' | 'strandedVersions' | 'kickOutbox' | 'logger'
>): Promise<WatchdogFindings> {
  const found: WatchdogFindings = { started: 0, reminded: 0, wokenGateways: 0, endedSessions: 0 };
  const ensure = async <N extends RequestedWorkflowName>(name: N, input: WorkflowInputs[N]): Promise<boolean> => {
    const workflowId = workflowIdOf(name, input);
    const outcome = await workflows.start(name, workflowId, input);
    if (outcome === 'started') {
      found.started += 1;
      logger.warn(
        { workflow: name, workflowId, ...subjectOfWorkflow(workflowId) },
        'a missing workflow has been started again',
      );
    }
    return outcome === 'started';
  };
  const remind = async (workflowId: string, signal: Reminder): Promise<void> => {
    if ((await workflows.signal(workflowId, signal)) === 'taken') found.reminded += 1;
  };

  const failures: unknown[] = [];
  /** One that Temporal does not take must not keep the others waiting, which may be another account's. */
  const surviving =
    <T extends object>(work: (item: T) => Promise<void>) =>
    (item: T): Promise<void> =>
      work(item).catch((error: unknown) => {
        failures.push(error);
        const about: object = { err: error, ...item };
        if (failures.length <= mostLogged) logger.error(about, 'the watchdog could not put right one');
      });

  kickOutbox();
  const checks: readonly (() => Promise<void>)[] = [
    // Before the others, which start what this has ended.
    async () => strandedVersions?.takeOver(),
    async () => {
      const held = await oldestHeldSnapshot(db);
      if (held === null || held.seconds < heldTooLongSeconds) return;
      logger.warn(held, 'a long transaction keeps PostgreSQL from vacuuming; claims get slower until it ends');
    },
    async () => {
      const sessions = await endSilentCopies(db);
      found.endedSessions = sessions.length;
      if (sessions.length > 0)
        logger.warn(
          { sessions },
          'a worker has stopped in the middle of storing a file; its transaction has been ended',
        );
    },
    async () => {
      found.wokenGateways = await wakeForgottenGateways(db);
    },
    () =>
      inPages(
        (after) => unfinishedBatches(db, after),
        ({ batchId }) => batchId,
        surviving(async ({ accountId, batchId, isRunning, overdue }) => {
          const started = await ensure('batchCall', { accountId, batchId });
          // Temporal has lost the batch, and so its added groups, which are no children of its workflow.
          if (started && isRunning) {
            await startAddedGroups(db, accountId, batchId);
            kickOutbox();
          }
          if (!started && overdue !== null) await remind(batchId, overdue);
        }),
      ),
    () =>
      inPages(
        (after) => unsettledSingleCalls(db, after),
        ({ callId }) => callId,
        surviving(async ({ accountId, callId, forgotten }) => {
          const input = { accountId, callId };
          const started = await ensure('calls', input);
          if (!started && forgotten) await remind(workflowIdOf('calls', input), 'reload');
        }),
      ),
    async () =>
      forEach(
        await forgottenGroups(db),
        surviving(async ({ accountId, batchId, group }) => {
          // Other groups are children of the batch, which starts them.
          const started = isAddedGroup(group) && (await ensure('calls', { accountId, batchId, group }));
          if (!started) await remind(groupWorkflowId(batchId, group), 'reload');
        }),
      ),
    () =>
      inPages(
        (after) => openDeployments(db, after),
        ({ deploymentId }) => deploymentId,
        surviving(async (deployment) => {
          await ensure('deployAgent', deployment);
        }),
      ),
    () =>
      inPages(
        (after) => openIngestions(db, after),
        ({ knowledgeBaseId }) => knowledgeBaseId,
        surviving(async (ingestion) => {
          await ensure('ingestKnowledgeBase', ingestion);
        }),
      ),
    () =>
      inPages(
        (after) => openDeletions(db, after),
        ({ batchId }) => batchId,
        surviving(async (deletion) => {
          await ensure('removeBatch', deletion);
        }),
      ),
    () =>
      inPages(
        (after) => openDeliveries(db, after),
        ({ deliveryId }) => deliveryId,
        surviving(async (delivery) => {
          await ensure('deliverWebhook', delivery);
        }),
      ),
    async () => {
      if (campaignSchedules === undefined) return;
      // Temporal's list may be a moment old: what it lacks, or has too many, is looked at again by a workflow that is harmless.
      const scheduled = new Set(await campaignSchedules.list());
      const campaigns = await allCampaigns(db);
      const put = surviving(async (campaign: (typeof campaigns)[number]) => {
        await ensure('scheduleCampaign', campaign);
      });
      await forEach(
        campaigns.filter(({ campaignId }) => !scheduled.has(campaignId)),
        put,
      );
      const known = new Set(campaigns.map(({ campaignId }) => campaignId));
      await forEach(
        [...scheduled].filter((campaignId) => !known.has(campaignId)).map((campaignId) => ({ campaignId })),
        surviving(({ campaignId }) => campaignSchedules.remove(campaignId)),
      );
    },
    async () =>
      forEach(
        await forgottenRuns(db),
        surviving(async (run) => {
          await ensure('runCampaign', run);
        }),
      ),
  ];
  // A check that fails does not stop the others.
  for (const check of checks) await check().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, 'The watchdog could not look at everything.');
  return found;
}

export const watchdogActivities = (deps: ActivityDeps) => ({
  compareStores: (): Promise<WatchdogFindings> =>
    withHeartbeat(async () => {
      try {
        return await compareStores(deps);
      } finally {
        await tellWaits(deps);
      }
    }),
});
