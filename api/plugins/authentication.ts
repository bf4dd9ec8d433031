import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure, unauthorized } from '../../domain/errors.js';
import { type ActiveKey, findActiveKey, markKeysUsed } from '../../db/queries/accounts/keys.js';
import { InvalidToken, lifeSecondsOf, revocationHash, verifyToken } from '../../platform/token.js';
import type { AppDeps, Caller, Operation } from '../operation.js';
import { valueAt } from '../validation.js';
import { isDatabaseTrouble } from './database-trouble.js';
import { limitAddresses } from './address-limit.js';
import { logRefusals } from './refusal-log.js';

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
  if (permissions.includes('read') && operation.method === 'GET' && operation.answersSecret !== true) return true;
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

/** Whether permissions reach the secrets that answers may hold; a token that only reads gets them masked. */
const seesSecrets = (permissions: readonly string[] | null | undefined): boolean =>
  permissions === undefined || permissions === null;

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
  const logRefusal = logRefusals(deps);

  /** @throws InvalidToken where a token that was signed well does not count any more, or for too long */
  function requireStanding(token: string, revoked: boolean, now: Date): void {
    const most = deps.env.OUTDIAL_MAX_TOKEN_SECONDS;
    if (most !== undefined && lifeSecondsOf(token, now) > most) {
      throw new InvalidToken(`The API token lives longer than the ${most} seconds that this service allows.`);
    }
    if (revoked) throw new InvalidToken('The API token was revoked.');
  }

  /** @throws Failure `unauthorized` or InvalidToken where the token does not count */
  async function callerOf(request: FastifyRequest, operation: Operation) {
    const token = rawToken(request);
    const now = deps.clock();
    let accountId = '';
    let ofKey: readonly string[] | null = null;
    const suspensions: NonNullable<ActiveKey['suspension']>[] = [];
    let namedKey = '';
    let revoked = false;
    const { keyId, permissions, agentId } = await verifyToken(
      token,
      async (id) => {
        const key = await findActiveKey(deps.database.db, id, revocationHash(token));
        if (key === null) return null;
        accountId = key.accountId;
        namedKey = id;
        ofKey = key.permissions;
        revoked = key.revoked;
        if (key.suspension !== null) suspensions.push(key.suspension);
        return deps.secretBox.open(key.secretSealed);
      },
      now,
    )
      .then((claims) => {
        requireStanding(token, revoked, now);
        return claims;
      })
      .catch(async (error: unknown) => {
        if (accountId !== '' && error instanceof InvalidToken) {
          const refused = { accountId, keyId: namedKey, address: request.ip, reason: error.message, operation };
          await logRefusal({ ...refused, action: 'token.refused' });
        }
        throw error;
      });
    used.set(keyId, now);
    return {
      caller: {
        accountId,
        keyId,
        token,
        address: request.ip,
        seesSecrets: seesSecrets(permissions) && seesSecrets(ofKey),
      },
      ofToken: permissions,
      ofKey,
      agentId,
      suspension: suspensions[0],
    };
  }

  return async function authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: Operation,
  ): Promise<Caller> {
    await addresses.check(request, reply);
    const { caller, ofToken, ofKey, agentId, suspension } = await callerOf(request, operation).catch(
      async (error: unknown) => {
        // Whatever is wrong with a token counts; a database that is away is no fault of who asks.
        if (!isDatabaseTrouble(error)) await addresses.refuse(request);
        throw error;
      },
    );
    addresses.accept(caller.token);
    if (suspension !== undefined) throw suspended(suspension);
    // A token cannot claim more than its key has.
    if (!allows(ofKey, operation) || !allows(ofToken, operation) || !isForAgent(agentId, request)) {
      const reason = 'This API token does not allow the operation.';
      await logRefusal({ ...caller, action: 'token.forbidden', reason, operation });
      throw new Failure('forbidden', reason, [], undefined, 'token');
    }
    return caller;
  };
}
