import { z } from 'zod';
import { findActiveKey, revokeTokenRow } from '../../db/queries/accounts/keys.js';
import { notFound } from '../../domain/errors.js';
import { expiryOf, InvalidToken, revocationHash, verifyToken } from '../../platform/token.js';
import { recordAudit } from '../audit.js';
import { doneWith } from '../done.js';
import { operation, type AppDeps } from '../operation.js';

/** The key of a token of the account. @throws Failure `not_found` for what is no token of it that counts */
async function keyOfToken({ database, secretBox, clock }: AppDeps, accountId: string, token: string): Promise<string> {
  const secretOf = async (keyId: string): Promise<string | null> => {
    const key = await findActiveKey(database.db, keyId);
    return key?.accountId === accountId ? secretBox.open(key.secretSealed) : null;
  };
  try {
    return (await verifyToken(token, secretOf, clock())).keyId;
  } catch (error) {
    if (error instanceof InvalidToken) throw notFound('This is no token of the account that works');
    throw error;
  }
}

/** POST /v1/account/tokens/revoke */
export const revokeToken = operation({
  name: 'tokens.revoke',
  method: 'POST',
  url: '/v1/account/tokens/revoke',
  family: 'account',
  tag: 'Account',
  schema: {
    summary: 'Revoke one token',
    description:
      'The token is refused from the answer on, everywhere; other tokens of the same key go on. 404: it is no token of the ' +
      'account, has expired, or its key is gone. Revoking it again changes nothing.',
    body: z
      .strictObject({ token: z.string().max(8_192).describe('The token in full, as it is sent') })
      .meta({ id: 'RevokeToken', examples: [{ token: 'eyJhbGciOiJIUzI1NiJ9.eyJhcGlrZXkiOiJrZXlfMDE5OCJ9.c2ln' }] }),
    response: { 200: doneWith('The token has been revoked') },
    errors: [404],
  },

  async handler({ body: { token }, caller }, deps) {
    const { accountId } = caller;
    const keyId = await keyOfToken(deps, accountId, token);
    const tokenHash = revocationHash(token);
    await deps.database.db.transaction().execute(async (tx) => {
      const isNew = await revokeTokenRow(tx, { accountId, keyId, tokenHash, expiresAt: expiryOf(token) });
      if (isNew) await recordAudit(tx, caller, 'token.revoke', keyId, { tokenHash });
    });
    return { status: 200, body: { message: 'The token has been revoked' } };
  },
});
