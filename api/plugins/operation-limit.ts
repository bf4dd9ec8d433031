import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../operation.js';
import { stop } from './address-limit.js';

const minuteMs = 60_000;

/**
 * The limit of an operation that costs more than others, by account; null if it has none. Counted per process, as the
 * accounts' limits are. It asks who calls: only after the token was verified.
 */
export function limitOperation(
  app: FastifyInstance,
  { perMinute }: Operation,
): ((request: FastifyRequest, reply: FastifyReply) => Promise<void>) | null {
  if (perMinute === undefined) return null;
  const count = app.createRateLimit({
    max: perMinute,
    timeWindow: minuteMs,
    keyGenerator: ({ caller, ip }) => caller?.accountId ?? ip,
  });
  return async (request, reply) => {
    const state = await count(request);
    if (!state.isAllowed && state.isExceeded) stop(reply, state);
  };
}
