import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure, unauthorized } from '../../domain/errors.js';
import { type ActiveKey, findActiveKey, markKeysUsed } from '../../db/queries/keys.js';
import { InvalidToken, verifyToken } from '../../platform/token.js';
import type { AppDeps, Caller, Operation } from '../operation.js';
import { valueAt } from '../validation.js';
import { limitAddresses } from './address-limit.js';

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

/** @param permissions of a token or of its key; none: everything */
function allows(permissions: readonly string[] | null | undefined, operation: Operation): boolean {
  if (permissions === undefined || permissions === null) return true;
  if (permissions.includes('read') && operation.method === 'GET') return true;
  return permissions.includes('playground') && operation.playground === true;
}

/** Why a suspended account is refused, whatever it asks for. */
const suspended = ({ reason }: NonNullable<ActiveKey['suspension']>): Failure => {
  const words = reason === null ? '' : `: ${reason}`;
  return new Failure(
    'forbidden',
    `This account is suspended by the operator of the service${words}`,
    [],
    undefined,
    'token',
  );
};

/** @param agentId the only agent that a token is for; none: every one */
function isForAgent(agentId: string | undefined, { params }: FastifyRequest): boolean {
  return agentId === undefined || valueAt(params, ['agentId']) === agentId;
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

  const addresses = limitAddresses(app, deps);

  /** @throws Failure `unauthorized` or InvalidToken where the token does not count */
  async function callerOf(request: FastifyRequest) {
    const token = rawToken(request);
    const now = deps.clock();
    let accountId = '';
    let ofKey: readonly string[] | null = null;
    const suspensions: NonNullable<ActiveKey['suspension']>[] = [];
    const { keyId, permissions, agentId } = await verifyToken(
      token,
      async (id) => {
        const key = await findActiveKey(deps.database.db, id);
        if (key === null) return null;
        accountId = key.accountId;
        ofKey = key.permissions;
        if (key.suspension !== null) suspensions.push(key.suspension);
        return deps.secretBox.open(key.secretSealed);
      },
      now,
    );
    used.set(keyId, now);
    return {
      caller: { accountId, keyId, token, address: request.ip },
      ofToken: permissions,
      ofKey,
      agentId,
      suspension: suspensions[0],
    };
  }

  const isRefusal = (error: unknown): boolean =>
    error instanceof InvalidToken || (error instanceof Failure && error.kind === 'unauthorized');

  return async function authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: Operation,
  ): Promise<Caller> {
    await addresses.check(request, reply);
    const { caller, ofToken, ofKey, agentId, suspension } = await callerOf(request).catch(async (error: unknown) => {
      if (isRefusal(error)) await addresses.refuse(request);
      throw error;
    });
    addresses.accept(caller.token);
    if (suspension !== undefined) throw suspended(suspension);
    // A token cannot claim more than its key has.
    if (!allows(ofKey, operation) || !allows(ofToken, operation) || !isForAgent(agentId, request)) {
      throw new Failure('forbidden', 'This API token does not allow the operation.', [], undefined, 'token');
    }
    return caller;
  };
}
