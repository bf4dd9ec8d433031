import { uuidOf } from '../ids.js';
import { attributesOf, rootOf, type SpanPlace, type TraceSpan } from './span.js';

/** Where a client's own trace is, by the header `traceparent` (W3C Trace Context). */
export interface RemoteParent extends SpanPlace {
  readonly sampled: boolean;
}

const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const isZero = (hex: string): boolean => /^0+$/.test(hex);

/** @returns null for a header that does not follow the standard: the request then begins a trace */
export function parseTraceparent(header: unknown): RemoteParent | null {
  if (typeof header !== 'string') return null;
  const [, version, traceId = '', spanId = '', flags = '', rest] = traceparent.exec(header.trim()) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return null;
  if (isZero(traceId) || isZero(spanId)) return null;
  return { traceId, spanId, sampled: (parseInt(flags, 16) & 1) === 1 };
}

const mostPlaces = 4;

/** Ids that a request and its answer name: by its address, and by what was made. Texts of clients may be among them. */
export const idsNamedIn = (params: unknown, body: unknown): string[] =>
  [params, body, dataOf(body)].flatMap((part): string[] =>
    typeof part === 'object' && part !== null
      ? Object.entries(part).flatMap(([key, value]: [string, unknown]) =>
          (key === 'id' || key === 'batchId' || key === 'callId') && typeof value === 'string' ? [value] : [],
        )
      : [],
  );

/** The calls and batches that a request is about. Roots of their traces. */
export function placesOfRequest(params: unknown, body: unknown): SpanPlace[] {
  const uuids = idsNamedIn(params, body).flatMap((id) => uuidOf('call', id) ?? uuidOf('batch', id) ?? []);
  return [...new Set(uuids)].slice(0, mostPlaces).map(rootOf);
}

const dataOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;

/** A request that has been answered. Neither its path nor its query are told: they hold numbers and searches. */
export interface TracedRequest {
  readonly method: string;
  /** The address with its placeholders, such as `/v1/batch-calls/:batchId`. */
  readonly route: string;
  readonly status: number;
  readonly accountId: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly remote: RemoteParent | null;
  readonly about: readonly SpanPlace[];
}

/**
 * The spans of a request: one in the trace of the client, or in one of its own, and one in the trace of each call or batch that it
 * is about. They link to each other.
 *
 * @param newId random hex digits, as many as asked for
 */
export function spansOfRequest(request: TracedRequest, newId: (digits: number) => string): TraceSpan[] {
  const { method, route, status, accountId, startMs, endMs, remote, about } = request;
  const own = { traceId: remote?.traceId ?? newId(32), spanId: newId(16) };
  const common = {
    ...{ name: `${method} ${route}`, kind: 'server' as const, startMs, endMs: Math.max(startMs, endMs) },
    attributes: attributesOf({
      ...{ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
      'outdial.account_id': accountId,
    }),
    failed: status >= 500,
  };
  return [
    {
      ...own,
      ...common,
      parentSpanId: remote?.spanId ?? null,
      ...(remote === null ? {} : { parentSampled: remote.sampled }),
      links: about,
    },
    ...about.map((root) => ({
      ...common,
      traceId: root.traceId,
      spanId: newId(16),
      parentSpanId: root.spanId,
      links: [own],
    })),
  ];
}
