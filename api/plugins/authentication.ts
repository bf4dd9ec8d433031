import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure, unauthorized } from '../../domain/errors.js';
import { findActiveKey, markKeysUsed } from '../../db/queries/keys.js';
import { verifyToken } from '../../platform/token.js';
import type { AppDeps, Caller, Operation } from '../operation.js';

/** How often the times at which keys were last used are written down. */
const usageFlushMs = 30_000;

function rawToken(request: FastifyRequest): string {
  const header = request.headers.authorization;
  if (header === undefined || header === '') throw unauthorized('The Authorization header is missing.');
  if (/^bearer\s/i.test(header)) {
    throw unauthorized('Send the API token raw in the Authorization header, without "Bearer".');
  }
  return header;
}

function allows(permissions: readonly string[] | undefined, operation: Operation): boolean {
  if (permissions === undefined) return true;
  if (permissions.includes('read') && operation.method === 'GET') return true;
  return permissions.includes('playground') && operation.playground === true;
}

/**
 * Finds out who asks. Uses of a key are remembered here and written down now and then: a write per request would make
 * every read one.
 */
export function createAuthentication(app: FastifyInstance, deps: AppDeps) {
  const used = new Map<string, Date>();
  const flush = async () => {
    if (used.size === 0) return;
    const uses = [...used];
    used.clear();
    await markKeysUsed(deps.database.db, uses);
  };
  const timer = setInterval(() => {
    flush().catch((error: unknown) => deps.logger.warn({ err: error }, 'the last use of keys could not be stored'));
  }, usageFlushMs);
  timer.unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await flush().catch((error: unknown) => deps.logger.warn({ err: error }, 'the last use of keys was not stored'));
  });

  return async function authenticate(request: FastifyRequest, operation: Operation): Promise<Caller> {
    const token = rawToken(request);
    const now = deps.clock();
    let accountId = '';
    const claims = await verifyToken(
      token,
      async (keyId) => {
        const key = await findActiveKey(deps.database.db, keyId);
        if (key === null) return null;
        accountId = key.accountId;
        return deps.secretBox.open(key.secretSealed);
      },
      now,
    );
    if (!allows(claims.permissions, operation)) {
      throw new Failure('forbidden', 'This API token does not allow the operation.', [], undefined, 'token');
    }
    used.set(claims.keyId, now);
    return { accountId, keyId: claims.keyId, token, address: request.ip };
  };
}
