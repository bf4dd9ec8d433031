import { sql } from 'kysely';
import type { Db } from '../../client.js';

export interface IdempotencyKey {
  /** The API key that the caller used: the same text under another one is another key. */
  readonly keyId: string;
  readonly idempotencyKey: string;
}

/** Answers are kept this long. */
const keptHours = 24;

/**
 * Takes the key until the transaction ends. False if another request holds it now: a lock and not a row, so that a
 * process that dies in between leaves nothing behind.
 */
export async function takeIdempotencyKey(tx: Db, { keyId, idempotencyKey }: IdempotencyKey): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${keyId} ${idempotencyKey}`}, 0)) as taken`.execute(tx);
  return rows[0]?.taken === true;
}

export interface StoredAnswer {
  readonly fingerprint: string;
  /** null: stored by a version before this was. */
  readonly sentFingerprint: string | null;
  readonly status: number;
  readonly bodySealed: string;
}

/** The answer that was given to this key in the last 24 hours. */
export async function findStoredAnswer(tx: Db, key: IdempotencyKey): Promise<StoredAnswer | null> {
  const row = await tx
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'sent_fingerprint', 'response_status', 'response_sealed'])
    .where('key_id', '=', key.keyId)
    .where('idempotency_key', '=', key.idempotencyKey)
    .where('created_at', '>', sql<Date>`now() - make_interval(hours => ${keptHours})`)
    .executeTakeFirst();
  if (row === undefined || row.response_status === null || row.response_sealed === null) return null;
  return {
    fingerprint: row.fingerprint,
    sentFingerprint: row.sent_fingerprint,
    status: row.response_status,
    bodySealed: row.response_sealed,
  };
}

/** Stores an answer, in the transaction of its change; one that has expired is replaced. */
export async function storeAnswer(
  tx: Db,
  key: IdempotencyKey,
  about: { readonly accountId: string; readonly route: string },
  answer: StoredAnswer,
): Promise<void> {
  const values = {
    account_id: about.accountId,
    route: about.route,
    fingerprint: answer.fingerprint,
    sent_fingerprint: answer.sentFingerprint,
    response_status: answer.status,
    response_sealed: answer.bodySealed,
    created_at: sql<Date>`now()`,
  };
  await tx
    .insertInto('idempotency_keys')
    .values({ key_id: key.keyId, idempotency_key: key.idempotencyKey, ...values })
    .onConflict((conflict) => conflict.columns(['key_id', 'idempotency_key']).doUpdateSet(values))
    .execute();
}

/** Removes some of what has outlived its time; each answer that is stored clears away a few. */
export async function removeOldAnswers(tx: Db): Promise<void> {
  await sql`
    delete from idempotency_keys where (key_id, idempotency_key) in (
      select key_id, idempotency_key from idempotency_keys
      where created_at <= now() - make_interval(hours => ${keptHours})
      limit 20 for update skip locked)`.execute(tx);
}
