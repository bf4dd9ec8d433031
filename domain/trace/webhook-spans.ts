import { formatId, uuidOf } from '../ids.js';
import { attemptSpanId } from './call-spans.js';
import { attributesOf, rootOf, spanIdOf, traceIdOf, type TraceSpan } from './span.js';

/** A delivery, as far as its spans need it. Its endpoint is not among them: addresses of clients hold tokens. */
export interface TracedDelivery {
  readonly deliveryId: string;
  readonly event: string;
  /** The bare UUID of the call that it is about; null: it is about a batch. */
  readonly callId: string | null;
  readonly attempt: number | null;
  readonly batchId: string | null;
  readonly createdAt: Date;
}

interface Try {
  readonly number: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly statusCode: number | null;
  readonly delivered: boolean;
}

/** Trace and parent of what belongs to a delivery: the attempt, or the batch, that it tells of. */
function placeOf({ callId, attempt, batchId }: TracedDelivery) {
  if (callId !== null) return { traceId: traceIdOf(callId), parentSpanId: attemptSpanId(callId, attempt ?? 0) };
  const batchUuid = batchId === null ? null : uuidOf('batch', batchId);
  if (batchUuid === null) return null;
  const { traceId, spanId } = rootOf(batchUuid);
  return { traceId, parentSpanId: spanId };
}

const attributes = ({ deliveryId, event, callId, attempt, batchId }: TracedDelivery) => ({
  'outdial.webhook_delivery_id': deliveryId,
  'outdial.webhook_event': event,
  'outdial.call_id': callId === null ? null : formatId('call', callId),
  'outdial.attempt': attempt,
  'outdial.batch_id': batchId,
});

/** The span of one try to deliver, within that of the delivery. */
export function spanOfTry(delivery: TracedDelivery, made: Try): TraceSpan[] {
  const place = placeOf(delivery);
  const uuid = uuidOf('webhookDelivery', delivery.deliveryId);
  if (place === null || uuid === null) return [];
  return [
    {
      traceId: place.traceId,
      spanId: spanIdOf(uuid, made.number),
      parentSpanId: spanIdOf(uuid),
      name: 'webhook try',
      kind: 'client',
      startMs: made.startMs,
      endMs: Math.max(made.startMs, made.endMs),
      attributes: attributesOf({
        ...attributes(delivery),
        'outdial.webhook_try': made.number,
        'http.response.status_code': made.statusCode,
      }),
      failed: !made.delivered,
    },
  ];
}

/** The span of a delivery that is over: from the event to the answer that took it, or to when it was given up. */
export function spanOfDelivery(delivery: TracedDelivery, endMs: number, delivered: boolean): TraceSpan[] {
  const place = placeOf(delivery);
  const uuid = uuidOf('webhookDelivery', delivery.deliveryId);
  if (place === null || uuid === null) return [];
  const startMs = delivery.createdAt.getTime();
  return [
    {
      ...place,
      spanId: spanIdOf(uuid),
      name: `webhook ${delivery.event}`,
      kind: 'internal',
      startMs,
      endMs: Math.max(startMs, endMs),
      attributes: attributesOf(attributes(delivery)),
      failed: !delivered,
    },
  ];
}
