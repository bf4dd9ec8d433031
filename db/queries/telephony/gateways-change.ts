import { sql, type Updateable } from 'kysely';
import type { Db } from '../../client.js';
import type { Gateways } from '../../types.js';

/*
 * Changes of gateways and of what is attached to them. Each locks in this order: numbers by their E.164, then
 * links, then gateways by their id. New batches and calls share-lock number and link first, so either they see the change or
 * the change sees them.
 */

/** Locks a gateway of the account until the transaction ends. @returns whether there is one */
export async function lockGateway(tx: Db, accountId: string, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('gateways')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the links of a gateway, so that no more batches or calls begin with it. */
export async function lockLinks(tx: Db, accountId: string, gatewayId: string): Promise<void> {
  await tx
    .selectFrom('number_gateways')
    .select('number_id')
    .where('account_id', '=', accountId)
    .where('gateway_id', '=', gatewayId)
    .orderBy('e164')
    .forUpdate()
    .execute();
}

export async function updateGateway(
  tx: Db,
  accountId: string,
  id: string,
  columns: Omit<Updateable<Gateways>, 'id' | 'account_id' | 'direction'>,
): Promise<void> {
  await tx
    .updateTable('gateways')
    .set({ ...columns, updated_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Deletes a gateway with its links and the state of its admission. */
export async function deleteGateway(tx: Db, accountId: string, id: string): Promise<void> {
  await tx.deleteFrom('gateways').where('account_id', '=', accountId).where('id', '=', id).execute();
}

/** An unfinished batch that dials by this gateway, or null. */
export async function batchOfGateway(tx: Db, accountId: string, gatewayId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from batches
    where account_id = ${accountId} and gateway_id = ${gatewayId}
      and status not in ('parse_failed', 'cancelled', 'completed')
    limit 1`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Whether a call by this gateway is not over yet, or the target of a warm transfer is called by it. */
export async function hasOpenCalls(tx: Db, accountId: string, gatewayId: string): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select exists (select 1 from calls
        where batch_id is null and not settled and gateway_id = ${gatewayId} and account_id = ${accountId})
      or exists (select 1 from call_attempts
        where phase in ('claimed', 'dialing', 'ringing', 'answered') and gateway_id = ${gatewayId}
          and account_id = ${accountId})
      or exists (select 1 from call_transfers
        where gateway_id = ${gatewayId} and status in ('wanted', 'held', 'calling') and account_id = ${accountId})
      or exists (select 1 from call_transfers
        where gateway_line = ${gatewayId} and account_id = ${accountId}) as open`.execute(tx);
  return rows[0]?.open ?? false;
}

/**
 * Takes numbers off one gateway. The numbers, and the gateway, are locked by the caller.
 */
export async function detachFromGateway(
  tx: Db,
  accountId: string,
  gatewayId: string,
  e164s: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('number_gateways')
    .where('account_id', '=', accountId)
    .where('gateway_id', '=', gatewayId)
    .where('e164', '=', sql<string>`any(${[...e164s]}::text[])`)
    .execute();
}

/**
 * Takes a number, locked by the caller, off both its gateways. A gateway that was made with its numbers and now has none
 * goes too, unless a call or a batch still uses it.
 *
 * @returns the gateways that it was attached to
 */
export async function detachNumber(tx: Db, accountId: string, numberId: string): Promise<string[]> {
  const { rows: links } = await sql<{ gateway_id: string }>`
    select gateway_id from number_gateways
    where account_id = ${accountId} and number_id = ${numberId} order by direction for update`.execute(tx);
  const ids = links.map((link) => link.gateway_id);
  if (ids.length === 0) return [];
  // Locked before the last link is looked for: of two numbers that are detached at once, one sees the other gone.
  await sql`select 1 from gateways where account_id = ${accountId} and id = any(${ids}::text[]) order by id for update`.execute(
    tx,
  );
  await tx
    .deleteFrom('number_gateways')
    .where('account_id', '=', accountId)
    .where('number_id', '=', numberId)
    .execute();
  for (const id of ids) {
    const used = (await hasOpenCalls(tx, accountId, id)) || (await batchOfGateway(tx, accountId, id)) !== null;
    if (used) continue;
    await sql`
      delete from gateways g
      where g.account_id = ${accountId} and g.id = ${id} and g.made_with_numbers
        and not exists (select 1 from number_gateways l where l.gateway_id = g.id)`.execute(tx);
  }
  return ids;
}

/**
 * Makes what the gateway says now hold for the very next call: a suspended gateway is tried at once, what it was suspended
 * for may have been corrected; and the next slot is no later than the calls per second ask for, behind those that are given out
 * already, which lie 250 ms and the dialers' patience ahead at most (db/functions/pace-attempts.sql). Called after the commit of the change, so that the
 * dialer never waits for a request.
 */
export async function applyAtOnce(db: Db, accountId: string, gatewayId: string): Promise<void> {
  await sql`
    update gateway_admission a set
      probe_at = case when a.suspended_since is null then a.probe_at else least(a.probe_at, clock_timestamp()) end,
      next_dial_at = least(a.next_dial_at, clock_timestamp() + (
        select make_interval(secs =>
          0.25 + a.slot_patience + (greatest(1, 1 / w.rate) + a.slot_patience) / greatest(1, w.rate))
        from gateway_rate(g.calls_per_second, a.pace, a.pace_changed_at, clock_timestamp()) as w (rate)))
    from gateways g
    where g.id = a.gateway_id and a.account_id = ${accountId} and a.gateway_id = ${gatewayId}`.execute(db);
}
