import { hostname } from 'node:os';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { Registry } from 'prom-client';
import type { Logger } from './logger.js';
import { createSpanCounter } from './span-counter.js';
import type { SpanRecord, Tracing } from './tracing.js';
import { version } from './version.js';
import { within } from './within.js';

/** Spans that wait or are on their way, about a kilobyte each; more are dropped and counted. */
const mostQueued = 16_384;
const closeWithinMs = 3_000;
/** A collector that is away is said once in this time. */
const saidEveryMs = 60_000;

const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, server: SpanKind.SERVER } as const;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message.slice(0, 300) : 'unknown');

/**
 * Sends spans by OTLP over HTTP (protobuf). The SDK batches, samples and reads its standard variables; the ids of spans are
 * those of their records. Loaded only if there is a collector: see `openTracing`.
 */
export function startTracing({
  role,
  logger,
  metrics,
}: {
  readonly role: string;
  readonly logger: Logger;
  readonly metrics: Registry;
}): Tracing {
  const counted = createSpanCounter(metrics);

  let queued = 0;
  let closed = false;
  let saidMs = -Infinity;
  let waiting: (() => void)[] = [];
  let closing: Promise<void> | null = null;
  const next = { traceId: '', spanId: '' };

  const { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: ofTraces = '', OTEL_EXPORTER_OTLP_PROTOCOL: ofAll = '' } = process.env;
  const protocol = ofTraces === '' ? ofAll : ofTraces;
  if (protocol !== '' && protocol !== 'http/protobuf') {
    logger.warn({ protocol }, 'spans are sent by http/protobuf alone: the collector has to take it at this endpoint');
  }

  function wake(): void {
    if (queued > mostQueued / 2 && !closed) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  function unsent(spans: number, error: unknown): void {
    counted.inc({ result: 'failed' }, spans);
    const nowMs = performance.now();
    if (nowMs - saidMs < saidEveryMs) return;
    saidMs = nowMs;
    logger.warn({ spans, err: messageOf(error) }, 'spans could not be sent to the collector; calls go on without them');
  }

  const exporter = new OTLPTraceExporter();
  const counting: SpanExporter = {
    export(spans, done) {
      exporter.export(spans, (result) => {
        queued -= spans.length;
        if (result.error === undefined) counted.inc({ result: 'sent' }, spans.length);
        else unsent(spans.length, result.error);
        wake();
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
  const batching = new BatchSpanProcessor(counting, { maxQueueSize: mostQueued });
  const bounded: SpanProcessor = {
    onStart: () => undefined,
    onEnd(span) {
      if (closed || queued >= mostQueued) {
        counted.inc({ result: 'dropped' });
        return;
      }
      queued += 1;
      batching.onEnd(span);
    },
    forceFlush: () => batching.forceFlush(),
    shutdown: () => batching.shutdown(),
  };
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'outdial',
      'service.name': `outdial-${role}`,
      'service.version': version,
      'service.instance.id': `${hostname()}-${process.pid}`,
    }).merge(detectResources({ detectors: [envDetector] })),
    idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.spanId },
    spanProcessors: [bounded],
  });
  const tracer = provider.getTracer('outdial', version);

  /** The sampler's decision about a whole trace: all processes come to the same, whichever of its spans they send. */
  function isSampled(traceId: string): boolean {
    Object.assign(next, { traceId, spanId: traceId.slice(16) });
    const { traceFlags } = tracer.startSpan('sampling', { root: true }, ROOT_CONTEXT).spanContext();
    return (traceFlags & TraceFlags.SAMPLED) !== 0;
  }

  function add(record: SpanRecord): void {
    const { traceId, spanId, parentSpanId, parentSampled = true } = record;
    Object.assign(next, { traceId, spanId });
    const traceFlags = parentSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
    const parent = { traceId, spanId: parentSpanId ?? '', traceFlags, isRemote: true };
    const span = tracer.startSpan(
      record.name,
      {
        kind: kinds[record.kind],
        startTime: new Date(record.startMs),
        attributes: { ...record.attributes },
        links: (record.links ?? []).map((link) => ({ context: { ...link, traceFlags: TraceFlags.SAMPLED } })),
      },
      parentSpanId === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
    );
    for (const { name, atMs, attributes } of record.events ?? [])
      span.addEvent(name, { ...attributes }, new Date(atMs));
    if (record.failed === true) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(new Date(record.endMs));
  }

  return {
    on: true,
    record(spans) {
      let [decided, sampled] = ['', false];
      for (const span of spans) {
        // The sampler asks the parent.
        if (span.parentSampled !== undefined) {
          add(span);
          continue;
        }
        if (span.traceId !== decided) [decided, sampled] = [span.traceId, isSampled(span.traceId)];
        if (sampled) add(span);
      }
    },
    lost: (spans) => counted.inc({ result: 'dropped' }, spans),
    room: () =>
      queued <= mostQueued / 2 || closed ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)),
    close() {
      closed = true;
      wake();
      closing ??= within(closeWithinMs, provider.shutdown()).catch((error: unknown) =>
        logger.warn({ err: messageOf(error), spans: queued }, 'the last spans could not be sent to the collector'),
      );
      return closing;
    },
  };
}
