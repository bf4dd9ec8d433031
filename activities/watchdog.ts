import { removalWorkflowId } from '../db/queries/batch-delete.js';
import {
  forgottenGroups,
  openDeletions,
  openDeliveries,
  openDeployments,
  openIngestions,
  unfinishedBatches,
  unsettledSingleCalls,
  wakeForgottenGateways,
} from '../db/queries/watchdog.js';
import { groupWorkflowId, singleCallWorkflowId } from '../domain/fan-out.js';
import { beating } from './beating.js';
import type { ActivityDeps } from './deps.js';

/** What a round of the watchdog had to put right. */
export interface WatchdogFindings {
  started: number;
  reminded: number;
  wokenGateways: number;
}

/** Requests to Temporal under way at once. */
const atOnce = 10;

/**
 * Compares what Postgres says must happen with what Temporal knows of, and puts Temporal right: workflows that are missing
 * are started, those that have forgotten something are told to look again. Everything it does is harmless where it was
 * not needed, so it never has to be certain.
 */
export async function compareStores({
  database: { db },
  door,
  kickOutbox,
  logger,
}: Pick<ActivityDeps, 'database' | 'door' | 'kickOutbox' | 'logger'>): Promise<WatchdogFindings> {
  const found: WatchdogFindings = { started: 0, reminded: 0, wokenGateways: 0 };
  const ensure = async (name: string, workflowId: string, input: object): Promise<boolean> => {
    const outcome = await door.start(name, workflowId, input);
    if (outcome === 'started') {
      found.started += 1;
      logger.warn({ workflow: name, workflowId }, 'a workflow was missing and has been started again');
    }
    return outcome === 'started';
  };
  const remind = async (workflowId: string, signal: string): Promise<void> => {
    if ((await door.signal(workflowId, signal)) === 'taken') found.reminded += 1;
  };

  kickOutbox();
  for (let page = await unfinishedBatches(db, null); page.length > 0;) {
    await forEach(page, async ({ accountId, batchId, overdue }) => {
      const started = await ensure('batchCall', batchId, { accountId, batchId });
      if (!started && overdue !== null) await remind(batchId, overdue);
    });
    page = await unfinishedBatches(db, page.at(-1)?.batchId ?? null);
  }
  for (let page = await unsettledSingleCalls(db, null); page.length > 0;) {
    await forEach(page, async ({ accountId, callId, forgotten }) => {
      const workflowId = singleCallWorkflowId(callId);
      const started = await ensure('calls', workflowId, { accountId, callId });
      if (!started && forgotten) await remind(workflowId, 'reload');
    });
    page = await unsettledSingleCalls(db, page.at(-1)?.callId ?? null);
  }
  await forEach(await forgottenGroups(db), ({ batchId, group }) => remind(groupWorkflowId(batchId, group), 'reload'));
  await forEach(await openDeliveries(db), async ({ accountId, deliveryId }) => {
    await ensure('deliverWebhook', deliveryId, { accountId, deliveryId });
  });
  await forEach(await openDeployments(db), async ({ accountId, deploymentId }) => {
    await ensure('deployAgent', deploymentId, { accountId, deploymentId });
  });
  await forEach(await openIngestions(db), async ({ accountId, knowledgeBaseId }) => {
    await ensure('ingestKnowledgeBase', knowledgeBaseId, { accountId, knowledgeBaseId });
  });
  await forEach(await openDeletions(db), async ({ accountId, batchId }) => {
    await ensure('removeBatch', removalWorkflowId(batchId), { accountId, batchId });
  });
  found.wokenGateways = await wakeForgottenGateways(db);
  return found;
}

async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const one = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, one));
}

export const watchdogActivities = (deps: ActivityDeps) => ({
  compareStores: (): Promise<WatchdogFindings> => beating(() => compareStores(deps)),
});
