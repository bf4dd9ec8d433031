import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseTraceparent, placesOfRequest, spansOfRequest } from '../../domain/trace/request-spans.js';
import type { SpanPlace } from '../../domain/trace/span.js';
import { newSpanId } from '../../platform/tracing.js';
import type { AppDeps } from '../operation.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Calls and batches that it is about, as its spans name them. */
    tracedPlaces?: readonly SpanPlace[];
  }
}

/** Keeps what the spans of a request need of its address and its answer. */
export function noteForSpans(request: FastifyRequest, { tracing }: AppDeps, params: unknown, body: unknown): void {
  if (tracing?.on === true && request.method !== 'GET') request.tracedPlaces = placesOfRequest(params, body);
}

/**
 * Sends the spans of requests that change something, once they are answered. One that names its client's trace (`traceparent`) is
 * part of that. Requests without a token that holds are left out: anyone could fill the traces.
 */
export function traceRequests(app: FastifyInstance, { tracing }: AppDeps): void {
  if (tracing?.on !== true) return;
  app.addHook('onResponse', async (request, reply) => {
    const { method, caller, routeOptions, headers, tracedPlaces = [] } = request;
    if (method === 'GET' || caller === undefined) return;
    const endMs = Date.now();
    tracing.record(
      spansOfRequest(
        {
          ...{ method, route: routeOptions.url ?? 'none', status: reply.statusCode, accountId: caller.accountId },
          ...{ startMs: endMs - reply.elapsedTime, endMs },
          ...{ remote: parseTraceparent(headers.traceparent), about: tracedPlaces },
        },
        newSpanId,
      ),
    );
  });
}
