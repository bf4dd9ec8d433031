import { sql, type Selectable } from 'kysely';
import { ownNameOfZone } from '../../../domain/call/time-zone.js';
import type { Db } from '../../client.js';
import type { Campaigns } from '../../types.js';
import { addToOutbox } from '../outbox.js';

export type CampaignRow = Selectable<Campaigns>;

/** What a client says of a campaign. */
export interface CampaignSettings {
  readonly name: string;
  readonly cron: string;
  readonly timezone: string;
  readonly template: object;
}

/** Campaigns that an account has at most. */
export const mostCampaigns = 100;

/** Has Temporal's schedule follow the campaign as it is now, or end with it. */
const tellSchedule = (tx: Db, accountId: string, campaignId: string, revision: number): Promise<void> =>
  addToOutbox(tx, { kind: 'start', name: 'scheduleCampaign', input: { accountId, campaignId, revision } });

/** @returns null if the account has as many as it may */
export async function insertCampaign(
  tx: Db,
  accountId: string,
  id: string,
  settings: CampaignSettings,
): Promise<CampaignRow | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`quota of ${accountId}`}, 0))`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from campaigns where account_id = ${accountId}`.execute(tx);
  if ((rows[0]?.count ?? 0) >= mostCampaigns) return null;
  const row = await tx
    .insertInto('campaigns')
    .values({
      ...{ id, account_id: accountId, ...settings },
      // To Temporal capitals matter: a schedule in another casing would never run.
      ...{ timezone: ownNameOfZone(settings.timezone), template: JSON.stringify(settings.template) },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await tellSchedule(tx, accountId, id, row.revision);
  return row;
}

/** A campaign of the account; null if there is none. */
export async function findCampaign(db: Db, accountId: string, id: string): Promise<CampaignRow | null> {
  const row = await db
    .selectFrom('campaigns')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** As `findCampaign`; locked: runs and requests that add recipients wait until the transaction has ended. */
export async function lockCampaign(tx: Db, accountId: string, id: string): Promise<CampaignRow | null> {
  const row = await tx
    .selectFrom('campaigns')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Changes a campaign. @returns it as it is now; null if there is none */
export async function updateCampaign(
  tx: Db,
  accountId: string,
  id: string,
  change: Partial<CampaignSettings> & { readonly paused?: boolean },
): Promise<CampaignRow | null> {
  const { template, timezone, ...others } = change;
  const row = await tx
    .updateTable('campaigns')
    .set({
      ...others,
      ...(template === undefined ? {} : { template: JSON.stringify(template) }),
      ...(timezone === undefined ? {} : { timezone: ownNameOfZone(timezone) }),
      revision: sql`revision + 1`,
      next_run_at: null,
      updated_at: sql`clock_timestamp()`,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  await tellSchedule(tx, accountId, id, row.revision);
  return row;
}

/** Deletes a campaign with its runs and with who waits; batch calls that it made stay. @returns false if there is none */
export async function deleteCampaign(tx: Db, accountId: string, id: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('campaigns')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('revision')
    .executeTakeFirst();
  if (row === undefined) return false;
  await tellSchedule(tx, accountId, id, row.revision + 1);
  return true;
}

/** A page of the account's campaigns, newest first. */
export async function listCampaigns(
  db: Db,
  accountId: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly rows: readonly CampaignRow[] }> {
  const own = db.selectFrom('campaigns').where('account_id', '=', accountId);
  const { total } = await own.select((select) => select.fn.countAll<string>().as('total')).executeTakeFirstOrThrow();
  const rows = await own
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return { total: Number(total), rows };
}

/** Lets one process at a time tell Temporal of a campaign, and the last one say what the campaign is then. */
export const lockSchedule = (tx: Db, campaignId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`schedule of ${campaignId}`}, 0))`.execute(tx);

/** Notes when Temporal's schedule runs next. */
export const noteNextRun = (db: Db, accountId: string, id: string, at: Date | null) =>
  sql`
    update campaigns set next_run_at = case when paused then null else ${at}::timestamptz end
    where id = ${id} and account_id = ${accountId}`.execute(db);

/** Every campaign; of each only what its schedule needs. */
export async function allCampaigns(db: Db): Promise<{ accountId: string; campaignId: string; revision: number }[]> {
  const { rows } = await sql<{ accountId: string; campaignId: string; revision: number }>`
    select account_id as "accountId", id as "campaignId", revision from campaigns order by id`.execute(db);
  return rows;
}
