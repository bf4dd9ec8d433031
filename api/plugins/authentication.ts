import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { secretPlaces } from '../../domain/account/secret-places.js';
import { Failure, unauthorized } from '../../domain/errors.js';
import { type ActiveKey, findActiveKey, markKeysUsed } from '../../db/queries/accounts/keys.js';
import { expiryOf, InvalidToken, lifeSecondsOf, revocationHash, verifyToken } from '../../platform/token.js';
import { covers, narrowest, type Permissions } from '../../platform/token-permissions.js';
import type { AppDeps, Caller, Operation } from '../operation.js';
import { valueAt } from '../validation.js';
import { isDatabaseTrouble } from './database-trouble.js';
import { limitAddresses } from './address-limit.js';
import { logRefusals } from './refusal-log.js';
import { isRevoked } from './standing.js';

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

/** @param permissions of a token and its key together */
function allows(permissions: Permissions, operation: Operation): boolean {
  if (operation.ofGuardrails === true && covers(permissions, 'guardrails')) return true;
  if (operation.ofGuardrails === true && operation.method !== 'GET') return false;
  if (operation.listening === true) return covers(permissions, 'listen');
  if (covers(permissions, 'operate')) return true;
  if (covers(permissions, 'read') && operation.method === 'GET' && operation.answersSecret !== true) return true;
  return covers(permissions, 'playground') && operation.playground === true;
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

const earlier = (a: Date | null, b: Date | null): Date | null => (a === null || (b !== null && b < a) ? b : a);

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

  /** @throws InvalidToken if a correctly signed token no longer counts, or is valid for too long */
  function requireStanding(token: string, key: ActiveKey, now: Date): void {
    const most = deps.env.OUTDIAL_MAX_TOKEN_SECONDS;
    if (most !== undefined && lifeSecondsOf(token, now) > most) {
      throw new InvalidToken(`The API token lives longer than the ${most} seconds that this service allows.`);
    }
    if (isRevoked(token, key)) throw new InvalidToken('The API token was revoked.');
  }

  /** @throws Failure `unauthorized` or InvalidToken if the token does not count */
  async function callerOf(request: FastifyRequest, operation: Operation) {
    const token = rawToken(request);
    const now = deps.clock();
    const named: { readonly id: string; readonly key: ActiveKey }[] = [];
    const { claims, key } = await verifyToken(
      token,
      async (id) => {
        const key = await findActiveKey(deps.database.db, id, revocationHash(token));
        if (key === null) return null;
        named.push({ id, key });
        return deps.secretBox.open(key.secretSealed, secretPlaces.apiKey(key.accountId, id));
      },
      now,
    )
      .then((claims) => {
        const [first] = named;
        if (first === undefined) throw new Error('A token was verified without its key.');
        requireStanding(token, first.key, now);
        return { claims, key: first.key };
      })
      .catch(async (error: unknown) => {
        const [first] = named;
        if (first !== undefined && error instanceof InvalidToken) {
          const refused = { accountId: first.key.accountId, keyId: first.id, address: request.ip };
          await logRefusal({ ...refused, reason: error.message, operation, action: 'token.refused' });
        }
        throw error;
      });
    used.set(claims.keyId, now);
    // A token cannot claim more than its key has.
    const permissions = narrowest(key.permissions, claims.permissions ?? null);
    return {
      caller: {
        accountId: key.accountId,
        keyId: claims.keyId,
        token,
        address: request.ip,
        expiresAt: earlier(key.expiresAt, expiryOf(token)),
        permissions,
        seesSecrets: covers(permissions, 'operate'),
      },
      agentId: claims.agentId,
      suspension: key.suspension,
    };
  }

  return async function authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: Operation,
  ): Promise<Caller> {
    await addresses.check(request, reply);
    const { caller, agentId, suspension } = await callerOf(request, operation).catch(async (error: unknown) => {
      // Whatever is wrong with a token counts; a database that is away is no fault of who asks.
      if (!isDatabaseTrouble(error)) await addresses.refuse(request);
      throw error;
    });
    addresses.accept(caller.token);
    if (suspension !== null) throw suspended(suspension);
    if (!allows(caller.permissions, operation) || !isForAgent(agentId, request)) {
      const reason = 'This API token does not allow the operation.';
      await logRefusal({ ...caller, action: 'token.forbidden', reason, operation });
      throw new Failure('forbidden', reason, [], undefined, 'token');
    }
    return caller;
  };
}
