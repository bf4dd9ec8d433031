import { createHash } from 'node:crypto';
import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppDeps } from '../operation.js';
import { tooManyRequests, windowMs } from './rate-limit.js';

/** Tokens that are remembered as good: more than the clients of one process are. */
const mostTokens = 10_000;

/** Of an IPv6 address, what one host has to itself. */
const ipv6Subnet = 64;

/** The limits are those of an account. Counted per process, as the accounts' are. */
const countByAddress = (app: FastifyInstance, { env }: AppDeps) =>
  app.createRateLimit({
    max: env.OUTDIAL_RATE_LIMIT_BURST,
    timeWindow: windowMs(env),
    keyGenerator: ({ ip }) => normalizeIP(ip, ipv6Subnet),
  });

/** What was counted of one address. */
type Count = Awaited<ReturnType<ReturnType<typeof countByAddress>>>;

/** Answers 429 with what the limit is. */
export function stop(reply: FastifyReply, { max, ttlInSeconds }: Exclude<Count, { isAllowed: true }>): never {
  reply.headers({ 'ratelimit-limit': max, 'ratelimit-remaining': 0, 'ratelimit-reset': ttlInSeconds });
  throw tooManyRequests(ttlInSeconds);
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Holds off a flood of requests that no token allows, by the address that it comes from. */
interface AddressLimit {
  /** @throws Failure `too_many_requests` if the address has been refused too often; asks no database */
  check(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** A token counts: its requests are not held up by whatever else comes from its address. */
  accept(token: string): void;
  /** A request was refused, with this token or with none. */
  refuse(request: FastifyRequest): Promise<void>;
}

/**
 * Counts what is refused with 401, by address. A client whose token was accepted before stays out of it, for many may share
 * an address: those behind one proxy, and all clients if OUTDIAL_TRUSTED_PROXIES does not name the proxy.
 */
export function limitAddresses(app: FastifyInstance, deps: AppDeps): AddressLimit {
  const refusals = countByAddress(app, deps);
  const good = new Set<string>();

  return {
    async check(request, reply) {
      const { authorization } = request.headers;
      if (authorization !== undefined && good.has(hashOf(authorization))) return;
      const state = await refusals(request, { increment: false });
      if (!state.isAllowed && state.remaining === 0) stop(reply, state);
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

/** Addresses that need no token and cost more than a refusal. */
const isPage = ({ is404, url }: FastifyRequest): boolean =>
  is404 || url === '/' || ['/openapi.json', '/docs', '/playground/', '/console'].some((page) => url.startsWith(page));

/** Limits by address what needs no token: the reference, and addresses that are none. Probes and metrics are left alone. */
export async function limitPages(app: FastifyInstance, deps: AppDeps): Promise<void> {
  await app.register(rateLimit, { global: false });
  const asked = countByAddress(app, deps);
  app.addHook('onRequest', async (request, reply) => {
    if (!isPage(request)) return;
    const state = await asked(request);
    if (!state.isAllowed && state.isExceeded) stop(reply, state);
  });
}
