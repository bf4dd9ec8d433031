import type { AttemptKey } from '../call/attempt-key.js';
import { formatId } from '../ids.js';
import { attributesOf, spanIdOf, traceIdOf, type TraceSpan } from './span.js';

/** What is stored of a telephone that a warm transfer has called. Times are milliseconds since 1970. */
export interface TracedTarget {
  readonly gatewayId: string;
  readonly status: string;
  readonly sipStatusCode: number | null;
  readonly sentMs: number;
  /** null: it was not picked up. */
  readonly answeredMs: number | null;
  /** When it was known how the transfer went; null: it is not. */
  readonly endedMs: number | null;
  /** When it was hung up; null: it was not picked up, or is hung up with the call. */
  readonly leftMs: number | null;
}

/** Beyond any number of an attempt: the spans of targets have numbers of their own. Never change it, as parts of call-spans.ts. */
const afterAttempts = 32_768;

/**
 * The span of the leg to the target of a warm transfer, from its INVITE until it is hung up, within its attempt.
 *
 * @param index of the target among those of its attempt, from 0
 */
export function spanOfTarget(
  { callId, attempt }: AttemptKey,
  index: number,
  target: TracedTarget,
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
): TraceSpan {
  const within = (ms: number, notBeforeMs: number): number => Math.min(untilMs, Math.max(notBeforeMs, ms));
  const isTaken = target.status === 'transferred';
  const startMs = within(target.sentMs, fromMs);
  const answeredMs = target.answeredMs === null ? null : within(target.answeredMs, startMs);
  const overMs = target.leftMs ?? (isTaken ? untilMs : (target.endedMs ?? untilMs));
  return {
    traceId: traceIdOf(callId),
    spanId: spanIdOf(callId, attempt + (index + 1) * afterAttempts),
    parentSpanId: spanIdOf(callId, attempt),
    name: 'transfer target',
    kind: 'client',
    startMs,
    endMs: within(overMs, answeredMs ?? startMs),
    attributes: attributesOf({
      'outdial.call_id': formatId('call', callId),
      'outdial.attempt': attempt,
      'outdial.gateway_id': target.gatewayId,
      'outdial.transferred': isTaken,
      'outdial.sip_status_code': target.sipStatusCode,
    }),
    events: [
      ...(answeredMs === null ? [] : [{ name: 'answered', atMs: answeredMs }]),
      ...(isTaken && target.endedMs !== null ? [{ name: 'joined', atMs: within(target.endedMs, startMs) }] : []),
    ],
  };
}
