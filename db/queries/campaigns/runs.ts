import { sql, type Selectable } from 'kysely';
import type { RunKey, RunOutcome } from '../../../domain/campaign/run.js';
import type { Db } from '../../client.js';
import type { CampaignRuns } from '../../types.js';
import { addToOutbox } from '../outbox.js';

export type RunRow = Selectable<CampaignRuns>;

/** What a run came to. */
export interface RunResult {
  readonly outcome: RunOutcome;
  readonly batchId?: string;
  readonly recipients?: number;
  readonly problem?: string;
}

/** The run of this instant; null if there is none. To be asked under the lock of its campaign. */
export async function findRun(tx: Db, { campaignId, dueAt }: RunKey): Promise<RunRow | null> {
  const row = await tx
    .selectFrom('campaign_runs')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .where('due_at', '=', dueAt)
    .executeTakeFirst();
  return row ?? null;
}

/** Stores what a run came to, or, without a result, that it is asked for. */
export async function storeRun(
  tx: Db,
  { accountId, campaignId, dueAt }: RunKey,
  isManual: boolean,
  { outcome, batchId, recipients = 0, problem }: RunResult,
): Promise<RunRow> {
  const result = { outcome, batch_id: batchId ?? null, recipients, problem: problem ?? null };
  return tx
    .insertInto('campaign_runs')
    .values({ campaign_id: campaignId, account_id: accountId, due_at: dueAt, is_manual: isManual, ...result })
    .onConflict((conflict) => conflict.columns(['campaign_id', 'due_at']).doUpdateSet(result))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Asks for a run now, and for the workflow that carries it out. */
export async function askForRun(tx: Db, key: RunKey): Promise<RunRow> {
  const run = await storeRun(tx, key, true, { outcome: 'asked' });
  const { accountId, campaignId, dueAt } = key;
  await addToOutbox(tx, {
    kind: 'start',
    name: 'runCampaign',
    input: { accountId, campaignId, askedAt: dueAt.toISOString() },
  });
  return run;
}

/** A page of the runs of a campaign, newest first. */
export async function listRuns(
  db: Db,
  accountId: string,
  campaignId: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly rows: readonly RunRow[] }> {
  const own = db.selectFrom('campaign_runs').where('account_id', '=', accountId).where('campaign_id', '=', campaignId);
  const { total } = await own.select((select) => select.fn.countAll<string>().as('total')).executeTakeFirstOrThrow();
  const rows = await own.selectAll().orderBy('due_at', 'desc').offset(offset).limit(limit).execute();
  return { total: Number(total), rows };
}

/** Runs that were asked for a while ago and not carried out. */
export async function forgottenRuns(db: Db): Promise<{ accountId: string; campaignId: string; askedAt: string }[]> {
  const { rows } = await sql<{ accountId: string; campaignId: string; dueAt: Date }>`
    select account_id as "accountId", campaign_id as "campaignId", due_at as "dueAt" from campaign_runs
    where outcome = 'asked' and created_at < clock_timestamp() - interval '15 seconds'
    order by created_at limit 1000`.execute(db);
  return rows.map(({ dueAt, ...ids }) => ({ ...ids, askedAt: dueAt.toISOString() }));
}
