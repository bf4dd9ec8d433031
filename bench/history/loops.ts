import { randomUUID } from 'node:crypto';
import { unreportedAttempts } from '../../db/queries/dialer/report-attempts.js';
import {
  attemptsOfGivenUpGateways,
  closedWindows,
  expiredAttempts,
  hangUpOrders,
} from '../../db/queries/dialer/queue-sweep.js';
import { forgetDeadProcesses, requeueClaimedOfDead, takeOverLegsOfDead } from '../../db/queries/dialer/lease.js';
import { oldestHeldSnapshot } from '../../db/queries/upkeep/held-snapshot.js';
import { forgottenGroups } from '../../db/queries/upkeep/forgotten-groups.js';
import { deleteOldSingleCalls, nextOldBatch } from '../../db/queries/upkeep/history.js';
import { takeOutbox } from '../../db/queries/upkeep/outbox-sweep.js';
import {
  deleteOldAnswers,
  deleteOldDeliveries,
  emptyCallsOfBatch,
  emptySingleCalls,
} from '../../db/queries/upkeep/retention.js';
import { accountUsage } from '../../db/queries/accounts/usage.js';
import {
  openDeletions,
  openDeliveries,
  openDeployments,
  openIngestions,
  unfinishedBatches,
  unsettledSingleCalls,
  wakeForgottenGateways,
} from '../../db/queries/upkeep/watchdog.js';
import type { Probe } from './alternate.js';
import type { Tenant } from './tenants.js';

const most = 1_000;
const longAgo = new Date('2000-01-01');

/** What workers and dialers do again and again, whatever has happened. */
export function loopProbes(tenant: Tenant): readonly Probe[] {
  const processId = randomUUID();
  const emptied = new Map<string, number>();
  return [
    {
      name: 'watchdog, a round',
      run: async ({ db }) => {
        await unfinishedBatches(db, null);
        await unsettledSingleCalls(db, null);
        await openDeliveries(db, null);
        await openDeployments(db, null);
        await openIngestions(db, null);
        await openDeletions(db, null);
        await forgottenGroups(db);
        await wakeForgottenGateways(db);
        await oldestHeldSnapshot(db);
      },
    },
    {
      name: 'sweeps of a dialer, a round',
      run: async ({ db }) => {
        await unreportedAttempts(db, 5, most);
        await closedWindows(db, most);
        await expiredAttempts(db, most);
        await attemptsOfGivenUpGateways(db, 24, most);
        await hangUpOrders(db, processId);
        await requeueClaimedOfDead(db, processId);
        await takeOverLegsOfDead(db, processId, most);
        await forgetDeadProcesses(db);
      },
    },
    { name: 'sweep of the outbox', run: ({ db }) => takeOutbox(db, 100) },
    {
      name: 'retention, a round with nothing due',
      run: async ({ db }) => {
        await nextOldBatch(db, longAgo, null);
        await emptySingleCalls(db, longAgo);
        await deleteOldDeliveries(db, longAgo);
        await deleteOldAnswers(db, longAgo);
        await deleteOldSingleCalls(db, tenant.accountId, longAgo);
      },
    },
    {
      name: 'retention, 1,000 calls emptied',
      run: async ({ db, batchId }) => {
        // Each time the next piece of the batch, and from its beginning again when it is through.
        const after = emptied.get(batchId) ?? -1;
        const last = await emptyCallsOfBatch(db, { accountId: tenant.accountId, batchId }, after);
        emptied.set(batchId, last ?? -1);
      },
    },
    {
      name: 'retention, 1,000 single calls deleted',
      run: ({ db }) => deleteOldSingleCalls(db, tenant.accountId, new Date()),
    },
    { name: 'usage of an account', run: ({ db }) => accountUsage(db, tenant.accountId, new Date()) },
  ];
}
