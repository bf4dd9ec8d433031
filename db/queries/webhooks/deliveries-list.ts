import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../client.js';
import { countedUpTo, totalBeside, type Total } from '../counted.js';
import { addToOutbox } from '../outbox.js';
import { instantOf, microsecondsOf, type Rows, shown, skippedBy } from '../rows.js';

export interface DeliveryAttemptRow {
  readonly number: number;
  /** ISO 8601, by the database. */
  readonly at: string;
  readonly statusCode: number | null;
  readonly milliseconds: number;
  readonly error: string | null;
}

/** A webhook delivery and all its tries. */
export interface DeliveryRow {
  readonly id: string;
  readonly event: string;
  readonly endpoint: string;
  /** null: it is about a batch itself. */
  readonly callId: string | null;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
  readonly attempts: readonly DeliveryAttemptRow[];
}

const columns = sql`
  d.id, d.event, d.endpoint, d.call_id as "callId", d.status, d.created_at as "createdAt",
  d.delivered_at as "deliveredAt", coalesce((
    select json_agg(json_build_object('number', t.number, 'at', t.at, 'statusCode', t.status_code,
      'milliseconds', t.milliseconds, 'error', t.error) order by t.number)
    from delivery_attempts t where t.delivery_id = d.id), '[]') as attempts`;

/** Deliveries of a batch's own events, and of its calls' summaries; those of SIP webhooks belong to these. Each part has an index. */
const partsOf = (accountId: string, batchId: string): readonly RawBuilder<unknown>[] =>
  [sql`d.batch_id`, sql`d.call_batch_id`].map((batch) => sql`${batch} = ${batchId} and d.account_id = ${accountId}`);

/** Where a delivery stands: microseconds of its creation, and its id. */
export type DeliveryPlace = readonly [string, string];

/** A page of a batch's deliveries, newest first, and how many there are. */
export async function listDeliveriesOfBatch(
  db: Db,
  accountId: string,
  batchId: string,
  asked: Rows<DeliveryPlace>,
): Promise<{ readonly total: Total; readonly rows: readonly DeliveryRow[]; readonly next: DeliveryPlace | null }> {
  const { offset, limit, after } = asked;
  const parts = partsOf(accountId, batchId);
  const following = after === undefined ? sql`` : sql`and (d.created_at, d.id) < (${instantOf(after[0])}, ${after[1]})`;
  const skipped = skippedBy(asked);
  const pieces = parts.map(
    (part) => sql`(select d.id, d.created_at from webhook_deliveries d where ${part} ${following}
      order by d.created_at desc, d.id desc limit ${skipped + limit + 1})`,
  );
  const [count, page] = await Promise.all([
    asked.counted ??
      countedUpTo(
        db,
        parts.map((part) => sql`select 1 from webhook_deliveries d where ${part}`),
      ),
    sql<DeliveryRow & { readonly at: string }>`
      select ${columns}, ${microsecondsOf(sql`d.created_at`)} as at
      from (
        select * from (${sql.join(pieces, sql` union all `)}) m
        order by created_at desc, id desc offset ${skipped} limit ${limit + 1}
      ) p join webhook_deliveries d on d.id = p.id
      order by d.created_at desc, d.id desc`.execute(db),
  ]);
  const { rows, next } = shown(page.rows, limit, ({ at, id }): DeliveryPlace => [at, id]);
  return { total: totalBeside(count, { offset, rows: rows.length, more: next !== null }), rows, next };
}

/** One delivery of a batch, or null. */
export async function findDeliveryOfBatch(
  db: Db,
  accountId: string,
  batchId: string,
  deliveryId: string,
): Promise<DeliveryRow | null> {
  const { rows } = await sql<DeliveryRow>`
    select ${columns} from webhook_deliveries d
    where d.id = ${deliveryId} and d.account_id = ${accountId} and coalesce(d.batch_id, d.call_batch_id) = ${batchId}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/**
 * Has a delivery that is over made again, under the same id: it gets a day from now, and its workflow is started through
 * the outbox.
 *
 * @returns false if it is under way
 */
export async function askForRedelivery(tx: Db, accountId: string, deliveryId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries set status = 'pending', delivered_at = null, asked_at = clock_timestamp()
    where id = ${deliveryId} and account_id = ${accountId} and status <> 'pending'`.execute(tx);
  if (numAffectedRows === 0n) return false;
  await addToOutbox(tx, { kind: 'start', name: 'deliverWebhook', input: { accountId, deliveryId } });
  return true;
}
