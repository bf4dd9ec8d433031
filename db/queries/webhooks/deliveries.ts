import { sql } from 'kysely';
import type { TracedDelivery } from '../../../domain/trace/webhook-spans.js';
import type { Db } from '../../client.js';

/** A delivery with its endpoint, payload and sealed secrets. */
export interface PendingDelivery extends Omit<TracedDelivery, 'deliveryId'> {
  readonly endpoint: string;
  readonly payload: string;
  /** Batch of the call that it is about. */
  readonly batchOfCall: string | null;
  readonly secretSealed: string;
  /** The secret before it, while receivers may still verify with that. */
  readonly previousSecretSealed: string | null;
}

/** How far a delivery has come since it was last asked for; null if it is over, or gone. */
export async function deliveryProgress(
  db: Db,
  accountId: string,
  deliveryId: string,
): Promise<{ attempts: number; createdAt: Date } | null> {
  const { rows } = await sql<{ attempts: number; createdAt: Date }>`
    select coalesce(d.asked_at, d.created_at) as "createdAt",
      (select count(*)::integer from delivery_attempts a
        where a.delivery_id = d.id and (d.asked_at is null or a.at >= d.asked_at)) as attempts
    from webhook_deliveries d
    where d.id = ${deliveryId} and d.account_id = ${accountId} and d.status = 'pending'`.execute(db);
  return rows[0] ?? null;
}

/** A delivery that is still to be made, or null. */
export async function pendingDelivery(db: Db, accountId: string, deliveryId: string): Promise<PendingDelivery | null> {
  const { rows } = await sql<PendingDelivery>`
    select d.endpoint, d.payload, d.event, d.call_id as "callId", d.attempt, d.batch_id as "batchId",
      (select c.batch_id from calls c where c.id = d.call_id) as "batchOfCall", d.created_at as "createdAt", a.webhook_secret_sealed as "secretSealed",
      case when a.previous_webhook_secret_valid_until > clock_timestamp() then a.previous_webhook_secret_sealed end
        as "previousSecretSealed"
    from webhook_deliveries d join accounts a on a.id = d.account_id
    where d.id = ${deliveryId} and d.account_id = ${accountId} and d.status = 'pending'`.execute(db);
  return rows[0] ?? null;
}

export interface DeliveryTry {
  /** null if no answer came. */
  readonly statusCode: number | null;
  readonly milliseconds: number;
  /** What went wrong on the way, null if an answer came. */
  readonly error: string | null;
  readonly delivered: boolean;
}

/** Stores one try for the webhook's owner to see, and ends the delivery if it was accepted. @returns the number of the try */
export async function recordDeliveryTry(db: Db, deliveryId: string, made: DeliveryTry): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await sql`select 1 from webhook_deliveries where id = ${deliveryId} for update`.execute(tx);
    const { rows } = await sql<{ number: number }>`
      insert into delivery_attempts (delivery_id, number, status_code, milliseconds, error)
      select ${deliveryId}, coalesce(max(number), 0) + 1, ${made.statusCode}, ${made.milliseconds}, ${made.error}
      from delivery_attempts where delivery_id = ${deliveryId}
      returning number`.execute(tx);
    const number = rows[0]?.number ?? 1;
    if (!made.delivered) return number;
    await sql`
      update webhook_deliveries set status = 'delivered', delivered_at = clock_timestamp()
      where id = ${deliveryId} and status = 'pending'`.execute(tx);
    return number;
  });
}

/**
 * Ends a delivery that was never accepted. One that was asked for again just now, and not tried since, goes on.
 *
 * @returns it; null if it was over
 */
export async function failDelivery(db: Db, accountId: string, deliveryId: string): Promise<TracedDelivery | null> {
  const { rows } = await sql<TracedDelivery>`
    update webhook_deliveries set status = 'failed'
    where id = ${deliveryId} and account_id = ${accountId} and status = 'pending'
      and (asked_at is null or asked_at < clock_timestamp() - interval '1 hour' or exists (
        select 1 from delivery_attempts a where a.delivery_id = webhook_deliveries.id and a.at >= webhook_deliveries.asked_at))
    returning id as "deliveryId", event, call_id as "callId", attempt, batch_id as "batchId", created_at as "createdAt"`.execute(
    db,
  );
  return rows[0] ?? null;
}
