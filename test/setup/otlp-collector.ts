import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';
import protobuf from 'protobufjs';

/**
 * The part of opentelemetry-proto (trace/v1, common/v1, resource/v1) that spans are sent with. Fields that are not named here are
 * skipped, as the encoding has it.
 */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9;
    repeated Event events = 11; repeated Link links = 13; Status status = 15;
  }
  message Event { fixed64 time_unix_nano = 1; string name = 2; repeated KeyValue attributes = 3; }
  message Link { bytes trace_id = 1; bytes span_id = 2; }
  message Status { int32 code = 3; }
`);
const Request = root.lookupType('Request');

export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: a root. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly links: readonly string[];
  readonly failed: boolean;
}

export interface Collector {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** Every body as it came, unpacked. */
  readonly bodies: Buffer[];
  readonly requests: () => number;
  /** `silent`: it takes the request and never answers. */
  answer(how: 'take' | 'refuse' | 'silent'): void;
  ofTrace(traceId: string): ReceivedSpan[];
  close(): Promise<void>;
}

interface Value {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: string;
  readonly doubleValue?: number;
}
interface KeyValue {
  readonly key: string;
  readonly value?: Value;
}
interface Decoded {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly KeyValue[] };
    readonly scopeSpans?: readonly {
      readonly spans?: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly name: string;
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
        readonly attributes?: readonly KeyValue[];
        readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
        readonly status?: { readonly code?: number };
      }[];
    }[];
  }[];
}

const valuesOf = (pairs: readonly KeyValue[] = []): ReceivedSpan['attributes'] =>
  Object.fromEntries(
    pairs.map(({ key, value = {} }) => [
      key,
      value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue),
    ]),
  );
const hexOf = (base64 = ''): string => Buffer.from(base64, 'base64').toString('hex');
const msOf = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1_000n) / 1_000;

function spansOf(body: Buffer): ReceivedSpan[] {
  const decoded = Request.toObject(Request.decode(body), { bytes: String, longs: String }) as Decoded;
  return (decoded.resourceSpans ?? []).flatMap(({ resource, scopeSpans = [] }) => {
    const service = String(valuesOf(resource?.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans = [] }) =>
      spans.map((span) => ({
        service,
        traceId: hexOf(span.traceId),
        spanId: hexOf(span.spanId),
        parentSpanId: hexOf(span.parentSpanId),
        name: span.name,
        startMs: msOf(span.startTimeUnixNano),
        endMs: msOf(span.endTimeUnixNano),
        attributes: valuesOf(span.attributes),
        links: (span.links ?? []).map(({ traceId }) => hexOf(traceId)),
        failed: span.status?.code === 2,
      })),
    );
  });
}

/** Stands in for an OpenTelemetry collector: takes OTLP over HTTP (protobuf) at /v1/traces, and keeps what comes. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  let how: Parameters<Collector['answer']>[0] = 'take';
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (how === 'silent') return;
      if (how === 'refuse') return response.writeHead(500).end();
      const raw = Buffer.concat(chunks);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
      const known = request.method === 'POST' && request.url === '/v1/traces';
      if (!known || request.headers['content-type'] !== 'application/x-protobuf') return response.writeHead(404).end();
      bodies.push(body);
      spans.push(...spansOf(body));
      return response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The collector has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    ...{ spans, bodies, requests: () => requests },
    answer: (next) => (how = next),
    ofTrace: (traceId) => spans.filter((span) => span.traceId === traceId),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
