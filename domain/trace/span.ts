/** A span of a trace, as the processes compute it from stored facts. It carries ids, codes and times, never a person's data. */
export interface TraceSpan {
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
  readonly attributes: TraceAttributes;
  /** The step did not do what it is for. */
  readonly failed?: boolean;
  readonly links?: readonly SpanPlace[];
  readonly events?: readonly SpanEvent[];
}

export type TraceAttributes = Readonly<Record<string, string | number | boolean>>;

/** Where a span is: what links and parents name. */
export interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
}

export interface SpanEvent {
  readonly name: string;
  readonly atMs: number;
  readonly attributes?: TraceAttributes;
}

/** The trace of what has this UUID: its hex digits. */
export const traceIdOf = (uuid: string): string => uuid.replaceAll('-', '');

/** Span ids of one number, such as an attempt. */
const partsOfNumber = 16;

/**
 * The id of a span, the same in every process: the last 8 bytes of the UUID, with number and part in its lowest bits. Part 0 of
 * number 0 is the UUID's own span, the root of its trace.
 *
 * @param part 0 to 15
 */
export function spanIdOf(uuid: string, number = 0, part = 0): string {
  const hex = traceIdOf(uuid);
  const lowest = (parseInt(hex.slice(24), 16) ^ (number * partsOfNumber + part)) >>> 0;
  return hex.slice(16, 24) + lowest.toString(16).padStart(8, '0');
}

/** The span that all others of this UUID's trace are in. */
export const rootOf = (uuid: string): SpanPlace => ({ traceId: traceIdOf(uuid), spanId: spanIdOf(uuid) });

/** Leaves out what is not known. */
export const attributesOf = (
  known: Readonly<Record<string, string | number | boolean | null | undefined>>,
): TraceAttributes =>
  Object.fromEntries(
    Object.entries(known).filter((entry): entry is [string, string | number | boolean] => (entry[1] ?? null) !== null),
  );
