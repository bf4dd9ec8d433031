import { secretPlaces } from '../../domain/account/secret-places.js';
import type { Db } from '../../db/client.js';
import { findActiveKey } from '../../db/queries/accounts/keys.js';
import type { RevokedToken } from '../../db/queries/accounts/revoked-tokens.js';
import type { SecretBox } from '../../platform/secret-box.js';
import { expiryOf, InvalidToken, revocationHash, verifyToken } from '../../platform/token.js';

/**
 * Whose token this is, as its revocation is written down; null for what is no token of an active key, or has expired.
 *
 * @param accountId the only account whose tokens are meant; omitted: any
 */
export async function knownToken(
  db: Db,
  secretBox: SecretBox,
  token: string,
  { now, accountId }: { readonly now: Date; readonly accountId?: string },
): Promise<RevokedToken | null> {
  const accounts: string[] = [];
  const secretOf = async (keyId: string): Promise<string | null> => {
    const key = await findActiveKey(db, keyId);
    if (key === null || (accountId !== undefined && key.accountId !== accountId)) return null;
    accounts.push(key.accountId);
    return secretBox.open(key.secretSealed, secretPlaces.apiKey(key.accountId, keyId));
  };
  try {
    const { keyId } = await verifyToken(token, secretOf, now);
    const [owner] = accounts;
    if (owner === undefined) return null;
    return { accountId: owner, keyId, tokenHash: revocationHash(token), expiresAt: expiryOf(token) };
  } catch (error) {
    if (error instanceof InvalidToken) return null;
    throw error;
  }
}
