import { formatId, uuidOf } from '../ids.js';
import { spanOfTarget, type TracedTarget } from './target-span.js';
import { attributesOf, rootOf, spanIdOf, traceIdOf, type SpanEvent, type TraceSpan } from './span.js';

/** What is stored of an attempt that has ended, as far as its spans need it. */
export interface TracedAttempt {
  /** The bare UUID. */
  readonly callId: string;
  readonly attempt: number;
  readonly accountId: string;
  readonly batchId: string | null;
  readonly gatewayId: string;
  readonly agentId: string | null;
  readonly versionId: string | null;
  /** How many INVITEs it took; 0: none was sent. */
  readonly invites: number;
  readonly status: string;
  readonly reason: string | null;
  readonly sipStatusCode: number | null;
  readonly simulated: boolean;
  readonly queuedAt: Date;
  readonly dueAt: Date;
  readonly claimedAt: Date | null;
  /** Its slot, by the gateway's pace. */
  readonly dialAt: Date | null;
  /** When it passed the gate: the INVITE leaves in the same moment. */
  readonly dialedAt: Date | null;
  readonly ringingAt: Date | null;
  readonly answeredAt: Date | null;
  readonly endedAt: Date;
  /** When its workflow had heard of the end. */
  readonly reportedAt: Date | null;
  /** From the answer to the first sound of the agent. */
  readonly firstSoundMs: number | null;
  /** Telephones that its warm transfers have called, in order; null: none. */
  readonly targets: readonly TracedTarget[] | null;
  /** Answers of the agent: when, and how long the callee had waited. */
  readonly turns: readonly { readonly at: string; readonly ms: number }[] | null;
}

/** What is stored of a call that is over. */
export interface TracedCall {
  /** The bare UUID. */
  readonly callId: string;
  readonly accountId: string;
  readonly batchId: string | null;
  readonly gatewayId: string;
  readonly agentId: string | null;
  readonly type: string;
  readonly status: string;
  readonly reason: string | null;
  readonly simulated: boolean;
  readonly attempts: number;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** It had been over before and was called again: when that was last asked for. */
  readonly againAt: Date | null;
}

/** Parts of an attempt's span ids; 0 is the attempt itself. Never change one: processes of two versions share traces. */
const parts = {
  wait: 1,
  queue: 2,
  pace: 3,
  gate: 4,
  invite: 5,
  ring: 6,
  conversation: 7,
  firstSound: 8,
  report: 9,
  again: 15,
} as const;

const mostTurns = 100;
const mostTargets = 100;

/** The span of an attempt: what belongs to it, such as its webhooks, is in it. */
export const attemptSpanId = (callId: string, attempt: number): string => spanIdOf(callId, attempt);

const ofCall = ({ callId, accountId, batchId, gatewayId, agentId, simulated }: TracedAttempt | TracedCall) => ({
  'outdial.account_id': accountId,
  'outdial.batch_id': batchId,
  'outdial.call_id': formatId('call', callId),
  'outdial.gateway_id': gatewayId,
  'outdial.agent_id': agentId,
  'outdial.simulated': simulated,
});

/**
 * The spans of an attempt that has ended. Its times come from several clocks (database, dialer, carrier): a span never begins
 * before the step that it follows, and never ends before it begins.
 */
export function spansOfAttempt(attempt: TracedAttempt): TraceSpan[] {
  const { callId, attempt: number } = attempt;
  const traceId = traceIdOf(callId);
  const startMs = attempt.queuedAt.getTime();
  const endMs = Math.max(startMs, attempt.endedAt.getTime());
  /** Within the attempt, and not before an earlier step. */
  const place = (at: Date | null, notBeforeMs: number): number | null =>
    at === null ? null : Math.min(endMs, Math.max(notBeforeMs, at.getTime()));
  const own = { 'outdial.call_id': formatId('call', callId), 'outdial.attempt': number };

  const dueMs = place(attempt.dueAt, startMs) ?? startMs;
  const claimedMs = place(attempt.claimedAt, dueMs);
  const slotMs = claimedMs === null ? null : place(attempt.dialAt, claimedMs);
  const dialedMs = place(attempt.dialedAt, slotMs ?? claimedMs ?? startMs);
  const ringingMs = dialedMs === null ? null : place(attempt.ringingAt, dialedMs);
  const answeredMs = dialedMs === null ? null : place(attempt.answeredAt, ringingMs ?? dialedMs);
  const spans: TraceSpan[] = [];

  function add(
    part: keyof typeof parts,
    name: string,
    fromMs: number | null,
    untilMs: number | null,
    more: Partial<Pick<TraceSpan, 'kind' | 'attributes' | 'failed' | 'events'>> & {
      readonly in?: keyof typeof parts;
    } = {},
  ): void {
    if (fromMs === null || untilMs === null) return;
    const { in: around, attributes = {}, ...rest } = more;
    spans.push({
      traceId,
      spanId: spanIdOf(callId, number, parts[part]),
      parentSpanId: spanIdOf(callId, number, around === undefined ? 0 : parts[around]),
      name,
      kind: 'internal',
      startMs: fromMs,
      endMs: untilMs,
      attributes: { ...own, ...attributes },
      ...rest,
    });
  }

  if (dueMs > startMs) add('wait', 'wait until due', startMs, dueMs);
  add('queue', 'queue', dueMs, claimedMs ?? (dialedMs === null ? endMs : null));
  add('pace', 'prepare and pace', claimedMs, slotMs ?? dialedMs ?? endMs);
  add('gate', 'gate', slotMs, dialedMs);
  const code = attributesOf({ 'outdial.sip_status_code': attempt.sipStatusCode });
  add('invite', 'INVITE', dialedMs, answeredMs ?? endMs, {
    kind: 'client',
    attributes: { ...code, 'outdial.invites': attempt.invites },
    failed: attempt.status === 'failed',
  });
  add('ring', 'ring', ringingMs, answeredMs ?? endMs, { in: 'invite' });
  add('conversation', 'conversation', answeredMs, endMs, { events: turnsOf(attempt, answeredMs, endMs) });
  if (answeredMs !== null && attempt.firstSoundMs !== null) {
    const heardMs = Math.min(endMs, answeredMs + Math.max(0, attempt.firstSoundMs));
    add('firstSound', 'first sound', answeredMs, heardMs, { in: 'conversation' });
  }
  // It follows the end of the attempt, as webhooks do.
  const reportedMs = attempt.reportedAt === null ? null : Math.max(endMs, attempt.reportedAt.getTime());
  add('report', 'tell the workflow', endMs, reportedMs);

  return [
    {
      traceId,
      spanId: attemptSpanId(callId, number),
      parentSpanId: spanIdOf(callId),
      name: 'attempt',
      kind: 'internal',
      startMs,
      endMs,
      attributes: attributesOf({
        ...ofCall(attempt),
        ...own,
        'outdial.agent_version_id': attempt.versionId,
        'outdial.status': attempt.status,
        'outdial.reason': attempt.reason,
        'outdial.sip_status_code': attempt.sipStatusCode,
        'outdial.invites': attempt.invites,
      }),
      failed: attempt.status === 'failed',
    },
    ...spans,
    ...targetsOf(attempt, answeredMs ?? startMs, endMs),
  ];
}

const targetsOf = ({ callId, attempt, targets }: TracedAttempt, fromMs: number, untilMs: number): TraceSpan[] =>
  (targets ?? [])
    .slice(0, mostTargets)
    .map((target, index) => spanOfTarget({ callId, attempt }, index, target, { fromMs, untilMs }));

function turnsOf({ turns }: TracedAttempt, answeredMs: number | null, endMs: number): SpanEvent[] {
  if (answeredMs === null || turns === null) return [];
  return turns.slice(0, mostTurns).flatMap(({ at, ms }): SpanEvent[] => {
    const atMs = Date.parse(at);
    if (!Number.isFinite(atMs) || !Number.isFinite(ms)) return [];
    const within = Math.min(endMs, Math.max(answeredMs, atMs));
    return [{ name: 'turn', atMs: within, attributes: { 'outdial.callee_waited_ms': ms } }];
  });
}

/**
 * The span of a call that is over: the root of its trace. A call that had been over before and was called again has a root
 * already: what followed is a span within it, so that no span is sent twice.
 */
export function spanOfCall(call: TracedCall): TraceSpan {
  const { callId, batchId, againAt } = call;
  const startMs = (againAt ?? call.startedAt).getTime();
  const batchUuid = batchId === null ? null : uuidOf('batch', batchId);
  return {
    ...rootOf(callId),
    ...(againAt === null ? {} : { spanId: spanIdOf(callId, call.attempts, parts.again) }),
    parentSpanId: againAt === null ? null : spanIdOf(callId),
    name: againAt === null ? 'call' : 'call again',
    kind: 'internal',
    startMs,
    endMs: Math.max(startMs, call.endedAt.getTime()),
    attributes: attributesOf({
      ...ofCall(call),
      'outdial.call_type': call.type,
      'outdial.status': call.status,
      'outdial.reason': call.reason,
      'outdial.attempts': call.attempts,
    }),
    failed: call.status === 'failed',
    ...(batchUuid === null ? {} : { links: [rootOf(batchUuid)] }),
  };
}
