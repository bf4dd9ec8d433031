import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import type { Db } from '../../db/client.js';
import { deactivateKeyRow, findActiveKey, insertKey, listKeyRows, type KeyRow } from '../../db/queries/keys.js';
import { notFound } from '../../domain/errors.js';
import { formatId } from '../../domain/ids.js';
import type { SecretBox } from '../../platform/secret-box.js';
import { signToken, type TokenPermission } from '../../platform/token.js';

export interface NewKey {
  readonly key: { readonly id: string; readonly name: string };
  /** Signs tokens; shown once. */
  readonly secret: string;
  /** A token without expiry and with every permission, ready for the Authorization header. */
  readonly token: string;
}

/** Adds a key to an account that exists. */
export async function createKey(db: Db, secretBox: SecretBox, accountId: string, name = ''): Promise<NewKey> {
  const id = formatId('key', v7());
  const secret = `sk_${randomBytes(32).toString('base64url')}`;
  await insertKey(db, { id, accountId, name, secretSealed: secretBox.seal(secret) });
  return { key: { id, name }, secret, token: await signToken(secret, { keyId: id }) };
}

/** Keys of one account, or of all, newest first; without their secrets. */
export const listKeys = (db: Db, accountId?: string): Promise<KeyRow[]> => listKeyRows(db, accountId);

/** @throws Failure `not_found` where no active key has this id */
export async function deactivateKey(db: Db, keyId: string): Promise<void> {
  if (!(await deactivateKeyRow(db, keyId))) throw notFound(`There is no active key ${keyId}`);
}

export interface TokenWish {
  /** Left out: the token does not expire. */
  readonly ttlSeconds?: number;
  /** Left out: everything. */
  readonly permissions?: readonly TokenPermission[];
}

/** @throws Failure `not_found` where no active key has this id */
export async function issueToken(db: Db, secretBox: SecretBox, keyId: string, wish: TokenWish = {}): Promise<string> {
  const key = await findActiveKey(db, keyId);
  if (key === null) throw notFound(`There is no active key ${keyId}`);
  return signToken(secretBox.open(key.secretSealed), { keyId, ...wish });
}
