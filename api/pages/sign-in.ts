import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findActiveKey } from '../../db/queries/accounts/keys.js';
import { secretPlaces } from '../../domain/account/secret-places.js';
import { forbidden, invalid } from '../../domain/errors.js';
import { redeemCode } from '../../platform/one-time-codes.js';
import { signToken } from '../../platform/token.js';
import type { AppDeps } from '../operation.js';

/** A day's work. */
const tokenSeconds = 12 * 3_600;
const largestBodyBytes = 1_024;

const Body = z.strictObject({ code: z.string().min(20).max(100) });

const isLoopbackAddress = (address = ''): boolean => /^(?:::ffff:)?127\.|^::1$/.test(address);

/** localhost, an address of 127.0.0.0/8 or [::1], with or without a port. */
const namesThisMachine = (host = ''): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i.test(host);

/**
 * Whether a browser on this machine asks, from a page of this service. A request that a proxy passes on may come from anywhere. A
 * page of another site may use a name that points to this machine; its requests then have that name in Host or Origin.
 */
function isOfThisMachine({ raw, headers }: FastifyRequest): boolean {
  const { host, origin, forwarded, via } = headers;
  const relayed = [forwarded, via, headers['x-forwarded-for'], headers['x-forwarded-host'], headers['x-real-ip']];
  return (
    isLoopbackAddress(raw.socket.remoteAddress) &&
    relayed.every((header) => header === undefined) &&
    namesThisMachine(host) &&
    origin === `http://${host ?? ''}`
  );
}

/**
 * POST /console/sign-in: exchanges the one-time code of the address that `outdial up` prints for a token. It exists in `up` alone,
 * and for browsers of this machine alone; it is no operation of the API.
 */
export function answerSignIn(app: FastifyInstance, { env, database, secretBox, clock }: AppDeps): void {
  const folder = env.OUTDIAL_SIGN_IN_FOLDER;
  if (folder === undefined) return;
  app.post(
    '/console/sign-in',
    { schema: { hide: true }, bodyLimit: largestBodyBytes, config: { family: 'account' } },
    async (request, reply) => {
      if (!isOfThisMachine(request)) {
        throw forbidden(
          'This address signs in browsers of the machine that the service runs on. Sign in with a token.',
        );
      }
      const body = Body.safeParse(request.body);
      if (!body.success) throw invalid('The code is missing');
      const now = clock();
      const keyId = redeemCode(folder, body.data.code, now);
      const key = keyId === null ? null : await findActiveKey(database.db, keyId);
      if (keyId === null || key === null) {
        throw forbidden(
          'This address has signed in before, or its 10 minutes are over. `outdial console` prints another one.',
        );
      }
      const secret = secretBox.open(key.secretSealed, secretPlaces.apiKey(key.accountId, keyId));
      const ttlSeconds = Math.min(tokenSeconds, env.OUTDIAL_MAX_TOKEN_SECONDS ?? Infinity);
      const token = await signToken(secret, { keyId, ttlSeconds }, now);
      return reply.header('cache-control', 'no-store').send({ token });
    },
  );
}
