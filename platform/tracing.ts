import { randomBytes } from 'node:crypto';
import type { Registry } from 'prom-client';
import type { Env } from './env.js';
import type { Logger } from './logger.js';

/** A span that has ended, with ids of its own: every process computes those of one trace alike. */
export interface SpanRecord {
  /** 32 hex digits */
  readonly traceId: string;
  /** 16 hex digits */
  readonly spanId: string;
  /** null: the root of its trace */
  readonly parentSpanId: string | null;
  /** Whether the trace of somebody else that it is part of is sent; omitted: the trace is ours. */
  readonly parentSampled?: boolean;
  readonly name: string;
  readonly kind: 'internal' | 'client' | 'server';
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly failed?: boolean;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly events?: readonly {
    readonly name: string;
    readonly atMs: number;
    readonly attributes?: Readonly<Record<string, string | number | boolean>>;
  }[];
}

/** Where spans go. Nothing waits for them: what cannot be sent is counted and forgotten. */
export interface Tracing {
  /** False: nothing is recorded, so nothing has to be read for it. */
  readonly on: boolean;
  record(spans: readonly SpanRecord[]): void;
  /** Counts spans, about so many, that were given up before they were made. */
  lost(spans: number): void;
  /** Resolves when half of the queue is free, or tracing ends. */
  room(): Promise<void>;
  /** Sends what is left, for a few seconds at most. */
  close(): Promise<void>;
}

/** For spans that no other process computes. @returns so many hex digits, an even number */
export const newSpanId = (digits: number): string => randomBytes(digits / 2).toString('hex');

/** Without a collector. */
export const noTracing: Tracing = {
  on: false,
  record: () => undefined,
  lost: () => undefined,
  room: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/**
 * Sends spans to the collector that the settings name. Without one, OpenTelemetry's SDK is not even loaded.
 *
 * @param role which of the processes this is: api, worker, dialer
 */
export async function openTracing(
  env: Pick<Env, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'>,
  parts: { readonly role: string; readonly logger: Logger; readonly metrics: Registry },
): Promise<Tracing> {
  const to = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (to === undefined || process.env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return noTracing;
  const { startTracing } = await import('./otlp-tracing.js');
  return startTracing(parts);
}

/**
 * Records spans that have to be read first. Not waited for, and never throws.
 *
 * @param about how many they will be, to count them if they cannot be read
 */
export function recordLater(
  { tracing = noTracing, logger }: { readonly tracing?: Tracing | undefined; readonly logger: Logger },
  about: number,
  read: () => Promise<readonly SpanRecord[]>,
): void {
  if (!tracing.on || about === 0) return;
  read().then(
    (spans) => tracing.record(spans),
    (error: unknown) => {
      tracing.lost(about);
      logger.warn({ err: error, spans: about }, 'spans could not be made');
    },
  );
}
