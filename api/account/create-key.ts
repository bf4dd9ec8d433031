import { expiryOf } from '../../platform/token.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { operation } from '../operation.js';
import { CreateApiKey, CreatedApiKey, keyBody } from './key-schema.js';
import { createKey } from './keys.js';

/** POST /v1/account/keys */
export const createApiKey = operation({
  name: 'apiKeys.create',
  method: 'POST',
  url: '/v1/account/keys',
  family: 'account',
  tag: 'Account',
  idempotent: true,
  schema: {
    summary: 'Create an API key',
    description:
      'The answer is the only one with the secret and a ready token. A key with `permissions` limits every token that it ' +
      'signs: what a token claims beyond them it does not get. `outdial token issue`, or any JWT library with the secret, ' +
      'makes tokens that expire. A key that is made with a token that expires ends with that token (`expiresAt`).',
    body: CreateApiKey,
    response: { 201: CreatedApiKey },
  },

  async handler(request, deps) {
    const { body, caller } = request;
    return withIdempotency(request, deps, body, async (tx) => {
      const permissions = body.permissions ?? null;
      const { key, secret, token } = await createKey(tx, deps.secretBox, caller.accountId, body.name, permissions, {
        expiresAt: expiryOf(caller.token),
        longestTokenSeconds: deps.env.OUTDIAL_MAX_TOKEN_SECONDS,
      });
      const details = { name: key.name, ...(permissions === null ? {} : { permissions }) };
      await recordAudit(tx, caller, 'key.create', key.id, details);
      return { status: 201 as const, body: { ...keyBody(key), secret, token } };
    });
  },
});
