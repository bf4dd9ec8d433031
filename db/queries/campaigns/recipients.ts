import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../client.js';

/** A recipient who is to wait for the next run. */
export interface WaitingRecipient {
  /** E.164 */
  readonly phoneNumber: string;
  readonly id: string | null;
  /** As it was sent, as JSON. */
  readonly inputJson: string;
}

/** Which of these ids wait already. */
export async function idsWaiting(tx: Db, campaignId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select recipient_id as id from campaign_recipients
    where campaign_id = ${campaignId} and recipient_id = any (${[...ids]}::text[])`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** Adds recipients to a locked campaign. @param names in the metadata of all who wait then */
export async function addWaiting(
  tx: Db,
  { accountId, campaignId }: { readonly accountId: string; readonly campaignId: string },
  recipients: readonly WaitingRecipient[],
  names: readonly string[],
): Promise<void> {
  await sql`
    insert into campaign_recipients (campaign_id, account_id, phone_number, recipient_id, input, byte_size)
    select ${campaignId}, ${accountId}, n.phone_number, n.recipient_id, n.input::json, octet_length(n.input)
    from unnest(${recipients.map(({ phoneNumber }) => phoneNumber)}::text[], ${recipients.map(({ id }) => id)}::text[],
      ${recipients.map(({ inputJson }) => inputJson)}::text[]) with ordinality as n (phone_number, recipient_id, input, place)
    order by n.place`.execute(tx);
  await sql`
    update campaigns set names = ${[...names]}::text[] where id = ${campaignId} and account_id = ${accountId}`.execute(
    tx,
  );
}

/** Everyone who waits, in the order in which they were posted. */
export async function waitingOf(
  tx: Db,
  campaignId: string,
): Promise<readonly { readonly seq: string; readonly input: string }[]> {
  const { rows } = await sql<{ seq: string; input: string }>`
    select seq, input::text as input from campaign_recipients where campaign_id = ${campaignId} order by seq`.execute(
    tx,
  );
  return rows;
}

/** Those who wait are moved away, up to this one. */
export const removeWaiting = (tx: Db, campaignId: string, lastSeq: string) =>
  sql`delete from campaign_recipients where campaign_id = ${campaignId} and seq <= ${lastSeq}::bigint`.execute(tx);

/**
 * Locks the campaigns in which these recipients wait, before the recipients: a run and a request that adds some lock the campaign
 * first, too.
 */
const lockCampaignsOf = (tx: Db, which: RawBuilder<unknown>) =>
  sql`
    select 1 from campaigns where id in (select campaign_id from campaign_recipients where ${which})
    order by id for update`.execute(tx);

const isPerson = (accountId: string, e164: string) => sql`account_id = ${accountId} and phone_number = ${e164}`;

/** Lets no run take a person from where they wait until the transaction ends. One that has taken them is committed after this. */
export async function lockCampaignsOfPerson(tx: Db, accountId: string, e164: string): Promise<void> {
  await lockCampaignsOf(tx, isPerson(accountId, e164));
}

/** Erases a person from everything that waits. @returns how many recipients they were */
export async function eraseWaiting(tx: Db, accountId: string, e164: string): Promise<number> {
  const which = isPerson(accountId, e164);
  await lockCampaignsOf(tx, which);
  const { numAffectedRows = 0n } = await sql`delete from campaign_recipients where ${which}`.execute(tx);
  return Number(numAffectedRows);
}

const atOnce = 5_000;

/** Deletes recipients who have waited since before this instant. @returns whether more may be left */
export async function deleteOldWaiting(db: Db, before: Date): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockCampaignsOf(tx, sql`created_at < ${before}`);
    const { numAffectedRows = 0n } = await sql`
      delete from campaign_recipients where (campaign_id, seq) in (
        select campaign_id, seq from campaign_recipients where created_at < ${before}
        order by created_at limit ${atOnce})`.execute(tx);
    return Number(numAffectedRows) === atOnce;
  });
}

/** Deletes runs of before this instant. @returns whether more may be left */
export async function deleteOldRuns(db: Db, before: Date): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from campaign_runs where (campaign_id, due_at) in (
      select campaign_id, due_at from campaign_runs where created_at < ${before} and outcome <> 'asked'
      order by created_at limit ${atOnce})`.execute(db);
  return Number(numAffectedRows) === atOnce;
}
