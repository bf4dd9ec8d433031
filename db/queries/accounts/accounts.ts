import { sql } from 'kysely';
import type { Db } from '../../client.js';

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

export async function insertAccount(
  tx: Db,
  account: { readonly id: string; readonly name: string; readonly webhookSecretSealed: string },
): Promise<void> {
  await tx
    .insertInto('accounts')
    .values({ id: account.id, name: account.name, webhook_secret_sealed: account.webhookSecretSealed })
    .execute();
}

export async function findAccount(db: Db, accountId: string): Promise<AccountRow> {
  const row = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'created_at'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { id: row.id, name: row.name, createdAt: row.created_at };
}

export interface WebhookSecrets {
  readonly secretSealed: string;
  /** The secret before the last rotation, while signatures are made with both. */
  readonly previous: { readonly secretSealed: string; readonly validUntil: Date } | null;
}

/** The account's webhook secrets in force at `now`. */
export async function findWebhookSecrets(db: Db, accountId: string, now: Date): Promise<WebhookSecrets> {
  const row = await db
    .selectFrom('accounts')
    .select(['webhook_secret_sealed', 'previous_webhook_secret_sealed', 'previous_webhook_secret_valid_until'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const { previous_webhook_secret_sealed: previous, previous_webhook_secret_valid_until: validUntil } = row;
  return {
    secretSealed: row.webhook_secret_sealed,
    previous:
      previous !== null && validUntil !== null && validUntil > now ? { secretSealed: previous, validUntil } : null,
  };
}

/** How long after a rotation the previous secret still signs. */
const previousValidHours = 24;

/**
 * Replaces the account's webhook secret; the one before signs as well for 24 hours. A secret that an earlier rotation had
 * replaced ends with this one: signatures are made with two at most.
 */
export async function rotateWebhookSecret(tx: Db, accountId: string, secretSealed: string): Promise<void> {
  await tx
    .updateTable('accounts')
    .set((set) => ({
      previous_webhook_secret_sealed: set.ref('webhook_secret_sealed'),
      previous_webhook_secret_valid_until: sql<Date>`clock_timestamp() + make_interval(hours => ${previousValidHours})`,
      webhook_secret_sealed: secretSealed,
    }))
    .where('id', '=', accountId)
    .execute();
}
