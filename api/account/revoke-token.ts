import { z } from 'zod';
import { revokeTokenRow } from '../../db/queries/accounts/revoked-tokens.js';
import { notFound } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { doneWith } from '../done.js';
import { operation } from '../operation.js';
import { knownToken } from './known-token.js';

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
      'Once this is answered, the token is refused everywhere; other tokens of the same key go on. 404: it is not a ' +
      'token of the account, has expired, or its key is deleted. Revoking it again changes nothing.',
    body: z
      .strictObject({ token: z.string().max(8_192).describe('The token in full, as it is sent') })
      .meta({ id: 'RevokeToken', examples: [{ token: 'eyJhbGciOiJIUzI1NiJ9.eyJhcGlrZXkiOiJrZXlfMDE5OCJ9.c2ln' }] }),
    response: { 200: doneWith('The token has been revoked') },
    errors: [404],
  },

  async handler({ body: { token }, caller }, deps) {
    const { database, secretBox, clock } = deps;
    const wanted = { now: clock(), accountId: caller.accountId };
    const known = await knownToken(database.db, secretBox, token, wanted);
    if (known === null) throw notFound('This is not a working token of the account');
    await database.db.transaction().execute(async (tx) => {
      const { keyId, tokenHash } = known;
      if (await revokeTokenRow(tx, known)) await recordAudit(tx, caller, 'token.revoke', keyId, { tokenHash });
    });
    return { status: 200, body: { message: 'The token has been revoked' } };
  },
});
