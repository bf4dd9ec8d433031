import { Failure } from '../../domain/errors.js';
import { covers, tokenPermissions, type TokenPermission } from '../../platform/token-permissions.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { type Caller, operation } from '../operation.js';
import { CreateApiKey, CreatedApiKey, keyBody } from './key-schema.js';
import { createKey } from './keys.js';

/**
 * What a key may do: what is asked for, or as much as the token that makes it.
 * @throws Failure `forbidden` if it would be more than that token may
 */
function permissionsOf(
  asked: readonly TokenPermission[] | undefined,
  { permissions: own }: Caller,
): TokenPermission[] | null {
  if (asked === undefined) return own === null ? null : tokenPermissions.filter((word) => own.includes(word));
  const beyond = asked.filter((word) => !covers(own, word));
  if (beyond.length > 0) {
    throw new Failure(
      'forbidden',
      `This API token may not make a key for ${beyond.join(', ')}.`,
      [],
      undefined,
      'token',
    );
  }
  return [...asked];
}

/** Whether a key lasts longer than the token that gets its secret. */
const outlives = ({ expiresAt }: { readonly expiresAt?: string | undefined }, { expiresAt: own }: Caller): boolean =>
  own !== null && (expiresAt === undefined || Date.parse(expiresAt) > own.getTime());

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
      'Only this answer has the secret and a ready token. A key with `permissions` limits every token that it ' +
      'signs, whatever the token claims. `outdial token issue`, or any JWT library with the secret, makes tokens ' +
      'that expire. A key made with an expiring token ends with that token (`expiresAt`). A key cannot be allowed ' +
      'more than the token that makes it: 403.',
    body: CreateApiKey,
    response: { 201: CreatedApiKey },
  },

  async handler(request, deps) {
    const { body, caller } = request;
    const permissions = permissionsOf(body.permissions, caller);
    // The answer to a stronger token is not repeated to a weaker one: it holds the key.
    const asked = caller.permissions === null ? body : { ...body, permissions };
    const answer = await withIdempotency(request, deps, asked, async (tx) => {
      const { key, secret, token } = await createKey(tx, deps.secretBox, caller.accountId, body.name, permissions, {
        expiresAt: caller.expiresAt,
        longestTokenSeconds: deps.env.OUTDIAL_MAX_TOKEN_SECONDS,
      });
      const details = { name: key.name, ...(permissions === null ? {} : { permissions }) };
      await recordAudit(tx, caller, 'key.create', key.id, details);
      return { status: 201 as const, body: { ...keyBody(key), secret, token } };
    });
    // Nor is the answer to a token that lasts repeated to one that expires.
    if (outlives(answer.body, caller)) {
      throw new Failure('unprocessable', 'This Idempotency-Key was used with a token that expires later');
    }
    return answer;
  },
});
