import { createHash } from 'node:crypto';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppDeps } from '../operation.js';
import { tooManyRequests, windowMs } from './rate-limit.js';

/** Tokens that are remembered as good: more than the clients of one process are. */
const mostTokens = 10_000;

/** Of an IPv6 address, what one host has to itself. */
const ipv6Subnet = 64;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Holds off a flood of requests that no token allows, by the address that it comes from. */
interface AddressLimit {
  /** @throws Failure `too_many_requests` where the address has been refused too often; asks no database */
  check(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** A token counts: its requests are not held up by whatever else comes from its address. */
  accept(token: string): void;
  /** A request was refused, with this token or with none. */
  refuse(request: FastifyRequest): Promise<void>;
}

/**
 * Counts what is refused with 401, by address. The limits are those of an account. A client whose token was accepted before
 * stays out of it, for many may share an address: those behind one proxy, and all clients where OUTDIAL_TRUSTED_PROXIES
 * does not name the proxy. Counted per process, as the accounts' limits are.
 */
export function limitAddresses(app: FastifyInstance, { env }: AppDeps): AddressLimit {
  const refusals = app.createRateLimit({
    max: env.OUTDIAL_RATE_LIMIT_BURST,
    timeWindow: windowMs(env),
    keyGenerator: ({ ip }) => normalizeIP(ip, ipv6Subnet),
  });
  const good = new Set<string>();

  return {
    async check(request, reply) {
      const { authorization } = request.headers;
      if (authorization !== undefined && good.has(hashOf(authorization))) return;
      const state = await refusals(request, { increment: false });
      if (state.isAllowed || state.remaining > 0) return;
      reply.headers({
        'ratelimit-limit': state.max,
        'ratelimit-remaining': 0,
        'ratelimit-reset': state.ttlInSeconds,
      });
      throw tooManyRequests(state.ttlInSeconds);
    },
    accept(token) {
      const hash = hashOf(token);
      // A Set keeps the order in which they came: the one not used for longest goes first.
      good.delete(hash);
      good.add(hash);
      const [oldest] = good;
      if (good.size > mostTokens && oldest !== undefined) good.delete(oldest);
    },
    async refuse(request) {
      const { authorization } = request.headers;
      if (authorization !== undefined) good.delete(hashOf(authorization));
      await refusals(request);
    },
  };
}
