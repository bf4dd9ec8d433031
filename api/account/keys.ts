import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { secretPlaces } from '../../domain/account/secret-places.js';
import type { Db } from '../../db/client.js';
import {
  type ActiveKey,
  deactivateKeyRow,
  findActiveKey,
  insertKey,
  listKeyRows,
  type KeyRow,
} from '../../db/queries/accounts/keys.js';
import { invalid, notFound } from '../../domain/errors.js';
import { formatId } from '../../domain/ids.js';
import type { SecretBox } from '../../platform/secret-box.js';
import { signToken } from '../../platform/token.js';
import { covers, type TokenPermission } from '../../platform/token-permissions.js';

export interface NewKey {
  readonly key: KeyRow;
  /** Signs tokens; shown once. */
  readonly secret: string;
  /** May do all that the key allows, and lives as long as key and service allow; ready for the Authorization header. */
  readonly token: string;
}

export interface KeyLife {
  /** When its tokens stop working; omitted or null: never. A key outlives neither the token that it was made with nor the key of that token. */
  readonly expiresAt?: Date | null;
  /** OUTDIAL_MAX_TOKEN_SECONDS: what the ready token lives at most; omitted: it does not expire. */
  readonly longestTokenSeconds?: number | undefined;
}

/** As a token claims them: omitted if they are not limited. */
const claimOf = (permissions: readonly string[] | null) => (permissions === null ? {} : { permissions });

/**
 * Adds a key to an account that exists.
 *
 * @param permissions what its tokens may do at most; null: everything
 */
export async function createKey(
  db: Db,
  secretBox: SecretBox,
  accountId: string,
  name = '',
  permissions: readonly TokenPermission[] | null = null,
  { expiresAt = null, longestTokenSeconds }: KeyLife = {},
): Promise<NewKey> {
  const id = formatId('key', v7());
  const secret = `sk_${randomBytes(32).toString('base64url')}`;
  const key = await insertKey(db, {
    id,
    accountId,
    name,
    secretSealed: secretBox.seal(secret, secretPlaces.apiKey(accountId, id)),
    permissions,
    expiresAt,
  });
  const left = expiresAt === null ? Infinity : Math.floor((expiresAt.getTime() - Date.now()) / 1000);
  const ttlSeconds = Math.max(1, Math.min(left, longestTokenSeconds ?? Infinity));
  const life = ttlSeconds === Infinity ? {} : { ttlSeconds };
  return { key, secret, token: await signToken(secret, { keyId: id, ...claimOf(permissions), ...life }) };
}

/** Keys of one account, or of all, newest first; without their secrets. */
export const listKeys = (db: Db, accountId?: string): Promise<KeyRow[]> => listKeyRows(db, accountId);

/** @throws Failure `not_found` if no active key has this id */
export async function deactivateKey(db: Db, keyId: string): Promise<void> {
  if (!(await deactivateKeyRow(db, keyId))) throw notFound(`There is no active key ${keyId}`);
}

/** When a token is issued that counts at once: not within the second in which all tokens before were revoked. */
export const issueTime = ({ tokensNotBefore }: Pick<ActiveKey, 'tokensNotBefore'>, now: Date): Date =>
  new Date(Math.max(now.getTime(), Math.ceil((tokensNotBefore?.getTime() ?? 0) / 1000) * 1000));

export interface TokenWish {
  /** Omitted: the token does not expire. */
  readonly ttlSeconds?: number;
  /** Omitted: everything. */
  readonly permissions?: readonly TokenPermission[];
}

/**
 * Signs a token with a key.
 *
 * @throws Failure `not_found` if no active key has this id, `invalid` if the key does not allow what is wished
 */
export async function issueToken(db: Db, secretBox: SecretBox, keyId: string, wish: TokenWish = {}): Promise<string> {
  const key = await findActiveKey(db, keyId);
  if (key === null) throw notFound(`There is no active key ${keyId}`);
  const { permissions } = key;
  const beyond = (wish.permissions ?? []).filter((each) => !covers(permissions, each));
  if (permissions !== null && beyond.length > 0) {
    throw invalid(`The key ${keyId} does not allow ${beyond.join(', ')}, only ${permissions.join(', ')}`);
  }
  const request = { keyId, ...claimOf(permissions), ...wish };
  const secret = secretBox.open(key.secretSealed, secretPlaces.apiKey(key.accountId, keyId));
  return signToken(secret, request, issueTime(key, new Date()));
}
