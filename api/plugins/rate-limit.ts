import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../domain/errors.js';
import type { AppDeps } from '../operation.js';

/**
 * Requests per account. A window of `burst / rate` seconds that lets `burst` requests through gives the configured rate
 * over time and the burst at once. Counted per process: behind a load balancer the limit is that of each replica.
 */
export async function limitRates(app: FastifyInstance, { env }: AppDeps): Promise<void> {
  const burst = env.OUTDIAL_RATE_LIMIT_BURST;
  await app.register(rateLimit, {
    max: burst,
    timeWindow: Math.ceil((burst / env.OUTDIAL_RATE_LIMIT_PER_SECOND) * 1000),
    cache: 10_000,
    enableDraftSpec: true,
    keyGenerator: (request) => request.caller?.accountId ?? request.ip,
    errorResponseBuilder: (_request, context) =>
      new Failure('too_many_requests', 'Too many requests: slow down', [], Math.max(1, Math.ceil(context.ttl / 1000))),
  });
}
