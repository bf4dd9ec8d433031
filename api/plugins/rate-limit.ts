import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../domain/errors.js';
import type { Env } from '../../platform/env.js';
import type { AppDeps } from '../operation.js';

/** A window that lets `burst` requests through; its length is what the configured rate takes for them. */
export const windowMs = ({ OUTDIAL_RATE_LIMIT_BURST, OUTDIAL_RATE_LIMIT_PER_SECOND }: Env): number =>
  Math.ceil((OUTDIAL_RATE_LIMIT_BURST / OUTDIAL_RATE_LIMIT_PER_SECOND) * 1000);

/** @param seconds after which trying again makes sense */
export const tooManyRequests = (seconds: number): Failure =>
  new Failure('too_many_requests', 'Too many requests: slow down', [], Math.max(1, Math.ceil(seconds)));

/**
 * Requests per account: the configured rate over time and the burst at once. Counted per process: behind a load balancer
 * the limit is that of each replica.
 */
export async function limitRates(app: FastifyInstance, { env }: AppDeps): Promise<void> {
  await app.register(rateLimit, {
    max: env.OUTDIAL_RATE_LIMIT_BURST,
    timeWindow: windowMs(env),
    cache: 10_000,
    enableDraftSpec: true,
    keyGenerator: (request) => request.caller?.accountId ?? request.ip,
    errorResponseBuilder: (_request, { ttl }) => tooManyRequests(ttl / 1000),
  });
}
