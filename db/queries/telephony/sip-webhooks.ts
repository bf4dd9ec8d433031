import { sql, type Selectable } from 'kysely';
import type { Db } from '../../client.js';
import type { SipWebhooks } from '../../types.js';

export type SipWebhookRow = Selectable<SipWebhooks>;

/** Webhooks of one account; more would make each event of a call dear. */
export const mostSipWebhooks = 20;

/** Stores a webhook, or null if the account has as many as it may. Two that race are counted one after the other. */
export async function insertSipWebhook(
  tx: Db,
  webhook: {
    readonly id: string;
    readonly accountId: string;
    readonly url: string;
    readonly events: readonly string[];
  },
): Promise<SipWebhookRow | null> {
  const { id, accountId, url, events } = webhook;
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from sip_webhooks where account_id = ${accountId}`.execute(tx);
  if ((rows[0]?.count ?? 0) >= mostSipWebhooks) return null;
  return tx
    .insertInto('sip_webhooks')
    .values({ id, account_id: accountId, url, events: [...events] })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findSipWebhook(db: Db, accountId: string, id: string): Promise<SipWebhookRow | null> {
  const row = await db
    .selectFrom('sip_webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** The same, locked until the transaction ends. */
export async function lockSipWebhook(tx: Db, accountId: string, id: string): Promise<SipWebhookRow | null> {
  const row = await tx
    .selectFrom('sip_webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Changes a webhook for what happens from now on; deliveries that are under way go where they were going. */
export async function updateSipWebhook(
  tx: Db,
  accountId: string,
  id: string,
  change: { readonly url?: string | undefined; readonly events?: readonly string[] | undefined },
): Promise<SipWebhookRow> {
  return tx
    .updateTable('sip_webhooks')
    .set({
      ...(change.url === undefined ? {} : { url: change.url }),
      ...(change.events === undefined ? {} : { events: [...change.events] }),
      updated_at: sql<Date>`clock_timestamp()`,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes a webhook with its deliveries: what is pending is not tried again. @returns whether there was one */
export async function deleteSipWebhook(tx: Db, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sip_webhooks')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** A page of the account's webhooks, newest first, and how many there are in all. */
export async function listSipWebhooks(
  db: Db,
  accountId: string,
  rows: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly webhooks: SipWebhookRow[] }> {
  const own = db.selectFrom('sip_webhooks').where('account_id', '=', accountId);
  const [count, webhooks] = await Promise.all([
    own.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
    own.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').offset(rows.offset).limit(rows.limit).execute(),
  ]);
  return { total: Number(count.total), webhooks };
}
