import { sql, type Selectable } from 'kysely';
import type { Db } from '../../client.js';
import type { ApiKeys } from '../../types.js';

export interface ActiveKey {
  readonly accountId: string;
  readonly secretSealed: string;
  /** What its tokens may do at most; null: everything. */
  readonly permissions: readonly string[] | null;
  /** Set while its account is suspended. */
  readonly suspension: { readonly reason: string | null } | null;
  /** Whether this one token was revoked. */
  readonly revoked: boolean;
  /** Tokens that were issued before are refused; null: none for that reason. */
  readonly tokensNotBefore: Date | null;
  /** When its tokens stop working; null: never. */
  readonly expiresAt: Date | null;
}

/**
 * The key that a token names, if it may still be used. Asked on every request, so that deactivating it, suspending its
 * account and revoking the token take effect at once.
 *
 * @param tokenHash `revocationHash` of that token
 */
export async function findActiveKey(db: Db, keyId: string, tokenHash = ''): Promise<ActiveKey | null> {
  const row = await db
    .selectFrom('api_keys as k')
    .innerJoin('accounts as c', 'c.id', 'k.account_id')
    .select([
      'k.account_id',
      'k.secret_sealed',
      'k.permissions',
      'k.tokens_not_before',
      'k.expires_at',
      'c.suspended_at',
      'c.suspended_reason',
    ])
    .select((one) =>
      one
        .exists(one.selectFrom('revoked_tokens').select('token_hash').where('token_hash', '=', tokenHash))
        .as('revoked'),
    )
    .where('k.id', '=', keyId)
    .where('k.active', '=', true)
    .where((where) => where.or([where('k.expires_at', 'is', null), where('k.expires_at', '>', sql<Date>`now()`)]))
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    accountId: row.account_id,
    secretSealed: row.secret_sealed,
    permissions: row.permissions,
    suspension: row.suspended_at === null ? null : { reason: row.suspended_reason },
    revoked: row.revoked === true,
    tokensNotBefore: row.tokens_not_before,
    expiresAt: row.expires_at,
  };
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
  /** What its tokens may do at most; null: everything. */
  readonly permissions: readonly string[] | null;
  /** When its tokens stop working; null: never. */
  readonly expiresAt: Date | null;
  /** Its tokens that were issued before are refused; null: none for that reason. */
  readonly tokensNotBefore: Date | null;
}

export interface NewKeyRow {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly secretSealed: string;
  readonly permissions: readonly string[] | null;
  readonly expiresAt: Date | null;
}

const columns = [
  'id',
  'account_id',
  'name',
  'active',
  'created_at',
  'deactivated_at',
  'last_used_at',
  'permissions',
  'expires_at',
  'tokens_not_before',
] as const;

const keyOf = (row: Pick<Selectable<ApiKeys>, (typeof columns)[number]>): KeyRow => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  active: row.active,
  createdAt: row.created_at,
  deactivatedAt: row.deactivated_at,
  lastUsedAt: row.last_used_at,
  permissions: row.permissions,
  expiresAt: row.expires_at,
  tokensNotBefore: row.tokens_not_before,
});

export async function insertKey(tx: Db, key: NewKeyRow): Promise<KeyRow> {
  const row = await tx
    .insertInto('api_keys')
    .values({
      id: key.id,
      account_id: key.accountId,
      name: key.name,
      secret_sealed: key.secretSealed,
      permissions: key.permissions === null ? null : [...key.permissions],
      expires_at: key.expiresAt,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return keyOf(row);
}

/** Keys of an account, or of all accounts, newest first. */
export async function listKeyRows(db: Db, accountId?: string): Promise<KeyRow[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select(columns)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(keyOf);
}

/** A page of an account's keys, newest first, and how many there are in all. */
export async function pageOfKeys(
  db: Db,
  accountId: string,
  { active, offset, limit }: { readonly active?: boolean | undefined; readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly keys: KeyRow[] }> {
  let matching = db.selectFrom('api_keys').where('account_id', '=', accountId);
  if (active !== undefined) matching = matching.where('active', '=', active);
  const [count, page] = await Promise.all([
    matching.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
    matching.select(columns).orderBy('created_at', 'desc').orderBy('id', 'desc').offset(offset).limit(limit).execute(),
  ]);
  return { total: Number(count.total), keys: page.map(keyOf) };
}

/** Tokens of the key stop working with the commit. False if there is no such active key. */
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

/** Whether a key may make others as strong as itself: one that can be deleted last. */
const isStrong = (permissions: readonly string[] | null): boolean =>
  permissions === null || permissions.includes('operate');

/**
 * Deactivates a key for its account, which must keep one that may do everything, or `operate` if it had none better: without
 * it no other could be made. Deletes of one account's keys wait for each other, so that two at once cannot take the last
 * two.
 *
 * @returns `unchanged` if it was deactivated already, `unknown` if the account has no such key
 */
export async function deleteKeyRow(
  tx: Db,
  accountId: string,
  keyId: string,
): Promise<'done' | 'unchanged' | 'last' | 'unknown'> {
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const key = await tx
    .selectFrom('api_keys')
    .select(['active', 'permissions', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('id', '=', keyId)
    .executeTakeFirst();
  if (key === undefined) return 'unknown';
  if (!key.active) return 'unchanged';
  const others = await tx
    .selectFrom('api_keys')
    .select('permissions')
    .where('account_id', '=', accountId)
    .where('id', '<>', keyId)
    .where('active', '=', true)
    .where('expires_at', 'is', null)
    .execute();
  const isReplaced = others.some(({ permissions }) =>
    key.permissions === null ? permissions === null : isStrong(permissions),
  );
  if (isStrong(key.permissions) && key.expires_at === null && !isReplaced) return 'last';
  return (await deactivateKeyRow(tx, keyId)) ? 'done' : 'unchanged';
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
