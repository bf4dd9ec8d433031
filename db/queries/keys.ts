import { sql } from 'kysely';
import type { Db } from '../client.js';

export interface ActiveKey {
  readonly accountId: string;
  readonly secretSealed: string;
}

/** The key that a token names, where it may still be used. Asked on every request, so that deactivating takes effect at once. */
export async function findActiveKey(db: Db, keyId: string): Promise<ActiveKey | null> {
  const row = await db
    .selectFrom('api_keys')
    .select(['account_id', 'secret_sealed'])
    .where('id', '=', keyId)
    .where('active', '=', true)
    .executeTakeFirst();
  return row === undefined ? null : { accountId: row.account_id, secretSealed: row.secret_sealed };
}

/** Stores when keys were last used; an older time never replaces a newer one. */
export async function markKeysUsed(db: Db, uses: readonly (readonly [keyId: string, at: Date])[]): Promise<void> {
  await sql`
    update api_keys k set last_used_at = u.at
    from unnest(${uses.map(([id]) => id)}::text[], ${uses.map(([, at]) => at.toISOString())}::timestamptz[]) as u (id, at)
    where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at)`.execute(db);
}

export interface KeyRow {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly active: boolean;
  readonly createdAt: Date;
  readonly deactivatedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

export async function insertKey(
  tx: Db,
  key: { readonly id: string; readonly accountId: string; readonly name: string; readonly secretSealed: string },
): Promise<void> {
  await tx
    .insertInto('api_keys')
    .values({ id: key.id, account_id: key.accountId, name: key.name, secret_sealed: key.secretSealed })
    .execute();
}

/** Keys of an account, or of all accounts, newest first. */
export async function listKeyRows(db: Db, accountId?: string): Promise<KeyRow[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select(['id', 'account_id', 'name', 'active', 'created_at', 'deactivated_at', 'last_used_at'])
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    active: row.active,
    createdAt: row.created_at,
    deactivatedAt: row.deactivated_at,
    lastUsedAt: row.last_used_at,
  }));
}

/** Tokens of the key stop working with the commit. False where there is no such active key. */
export async function deactivateKeyRow(db: Db, keyId: string): Promise<boolean> {
  const row = await db
    .updateTable('api_keys')
    .set({ active: false, deactivated_at: sql`now()` })
    .where('id', '=', keyId)
    .where('active', '=', true)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the account has this key, active or not. */
export async function isKeyOfAccount(db: Db, accountId: string, keyId: string): Promise<boolean> {
  const row = await db
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', keyId)
    .executeTakeFirst();
  return row !== undefined;
}
