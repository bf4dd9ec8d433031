import { createHash } from 'node:crypto';
import { numberTimeZones } from '../contacts/number-time-zones.js';
import type { Db } from '../db/client.js';
import { insertAuditEntry } from '../db/queries/accounts/audit-log.js';
import { accountDefaults } from '../db/queries/accounts/defaults.js';
import { lockUsage } from '../db/queries/accounts/quotas.js';
import { isAccountSuspended } from '../db/queries/accounts/suspension.js';
import { insertBatchCall } from '../db/queries/batches/create.js';
import { countNumbersOf, lockBatchRoute } from '../db/queries/batches/lock-route.js';
import {
  type CampaignRow,
  findCampaign,
  lockCampaign,
  lockSchedule,
  noteNextRun,
} from '../db/queries/campaigns/campaigns.js';
import { removeWaiting, waitingOf } from '../db/queries/campaigns/recipients.js';
import { findRun, type RunResult, storeRun } from '../db/queries/campaigns/runs.js';
import { batchIdOfRun, batchNameOfRun, mostLateMs, type RunKey, type RunOutcome } from '../domain/campaign/run.js';
import { readTemplate } from '../domain/campaign/template.js';
import { ownNameOfZone } from '../domain/call/time-zone.js';
import { Failure, wordsOfProblems } from '../domain/errors.js';
import { formatId } from '../domain/ids.js';
import type { RunCampaignInput, ScheduleCampaignInput } from '../domain/workflow/contract.js';
import type { ActivityDeps, CampaignQuotas } from './deps.js';
import { withHeartbeat } from './heartbeat.js';

interface RunContext {
  readonly quotas: CampaignQuotas;
  readonly simulated: boolean;
  readonly now: Date;
}

/** What the batch call of a run would be made from, or why it cannot be made. @throws Failure */
async function batchOf(tx: Db, campaign: CampaignRow, dueAt: Date, { quotas, now }: RunContext, bytes: number) {
  const { account_id: accountId, name, timezone } = campaign;
  if (await isAccountSuspended(tx, accountId)) throw new Failure('forbidden', 'The account is suspended.');
  const defaults = await accountDefaults(tx, accountId);
  const batchName = batchNameOfRun(name, dueAt, timezone);
  const read = readTemplate(campaign.template, batchName, { now, defaults, endpointProblem: () => null });
  if ('problems' in read) {
    throw new Failure('invalid', `The template is not valid any more: ${wordsOfProblems(read.problems)}.`);
  }
  const { openBatches, storedBytes } = await lockUsage(tx, accountId);
  if (openBatches >= quotas.mostOpenBatches) {
    throw new Failure(
      'conflict',
      `The account has ${openBatches} batch calls that are not finished, as many as it may.`,
    );
  }
  if (storedBytes + bytes > quotas.mostStoredBytes) {
    throw new Failure(
      'too_large',
      'The account keeps as many files as it may. Delete batch calls that are not needed.',
    );
  }
  return { form: read.form, route: await lockBatchRoute(tx, accountId, read.form), defaults };
}

/** Makes the batch call of a run from everyone who waits; says so if nobody does, or if it cannot be made. */
async function makeBatch(tx: Db, campaign: CampaignRow, key: RunKey, context: RunContext): Promise<RunResult> {
  const { accountId, campaignId, dueAt } = key;
  const waiting = await waitingOf(tx, campaignId);
  const last = waiting.at(-1);
  if (last === undefined) return { outcome: 'empty' };
  const bytes = Buffer.from(`[${waiting.map(({ input }) => input).join()}]`);
  const made = await batchOf(tx, campaign, dueAt, context, bytes.length).catch((error: unknown) => {
    if (error instanceof Failure)
      return error.problems.length === 0 ? error.message : `${wordsOfProblems(error.problems)}.`;
    throw error;
  });
  if (typeof made === 'string') return { outcome: 'failed', problem: made };
  const batchId = batchIdOfRun(key);
  // Of the run, so that a run that is repeated writes the very same.
  const file = formatId('file', batchId.slice(batchId.indexOf('_') + 1));
  await insertBatchCall(tx, {
    accountId,
    batchId,
    form: made.form,
    route: made.route,
    file: { key: file, sha256: createHash('sha256').update(bytes).digest('hex'), bytes },
    timezone: made.defaults.timezone,
    simulated: context.simulated,
    now: context.now,
  });
  await countNumbersOf(tx, accountId, made.form.phoneNumbers, numberTimeZones());
  await removeWaiting(tx, campaignId, last.seq);
  const details = { name: made.form.name, campaignId };
  await insertAuditEntry(tx, {
    accountId,
    keyId: null,
    address: null,
    action: 'batch-call.create',
    target: batchId,
    details,
  });
  return { outcome: 'made', batchId, recipients: waiting.length };
}

/**
 * Carries out a run, in one transaction: who waits moves into the batch call that is made, or nothing has happened. Repeated, it
 * finds what the run came to and does nothing.
 *
 * @returns what it came to; null if there is no such campaign any more, or it is paused
 */
export const runOnce = (
  db: Db,
  key: RunKey,
  { isManual, ...context }: RunContext & { readonly isManual: boolean },
): Promise<RunOutcome | null> =>
  db.transaction().execute(async (tx) => {
    const campaign = await lockCampaign(tx, key.accountId, key.campaignId);
    if (campaign === null) return null;
    const before = await findRun(tx, key);
    if (before !== null && before.outcome !== 'asked') return null;
    if (!isManual && campaign.paused) return null;
    const isMissed = !isManual && context.now.getTime() - key.dueAt.getTime() > mostLateMs;
    const result: RunResult = isMissed
      ? {
          outcome: 'missed',
          problem: 'The service was not there at the time of the run. Who waits is called by the next one.',
        }
      : await makeBatch(tx, campaign, key, context);
    await storeRun(tx, key, isManual, result);
    return result.outcome;
  });

export const campaignActivities = ({
  database: { db },
  campaignSchedules,
  campaignQuotas = { mostOpenBatches: Infinity, mostStoredBytes: Infinity },
  deploy,
  kickOutbox,
  logger,
}: ActivityDeps) => {
  const noteNext = async (accountId: string, campaignId: string): Promise<void> => {
    await noteNextRun(db, accountId, campaignId, (await campaignSchedules?.nextRun(campaignId)) ?? null);
  };
  return {
    /** Makes Temporal's schedule what the campaign says, or ends it with the campaign. */
    scheduleCampaign: ({ accountId, campaignId }: ScheduleCampaignInput): Promise<void> =>
      db.transaction().execute(async (tx) => {
        await lockSchedule(tx, campaignId);
        const campaign = await findCampaign(tx, accountId, campaignId);
        if (campaign === null) await campaignSchedules?.remove(campaignId);
        else {
          const { cron, paused } = campaign;
          // Older campaigns have the name as it was sent, in whatever casing.
          const timezone = ownNameOfZone(campaign.timezone);
          const next = await campaignSchedules?.put({ accountId, campaignId, cron, timezone, paused });
          await noteNextRun(tx, accountId, campaignId, next ?? null);
        }
      }),

    /** Carries out a run of the schedule, or one that was asked for. */
    runCampaign: ({ accountId, campaignId, askedAt }: RunCampaignInput, dueAt: string): Promise<void> =>
      withHeartbeat(async () => {
        const context = { quotas: campaignQuotas, simulated: deploy.simulated, now: new Date() };
        const key = { accountId, campaignId, dueAt: new Date(dueAt) };
        const outcome = await runOnce(db, key, { ...context, isManual: askedAt !== undefined });
        if (outcome === 'made') kickOutbox();
        if (outcome !== null) logger.info({ accountId, campaignId, dueAt, outcome }, 'a campaign ran');
        await noteNext(accountId, campaignId);
      }),
  };
};
