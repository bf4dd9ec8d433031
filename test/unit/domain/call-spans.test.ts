import { v7 as uuid } from 'uuid';
import { expect, test } from 'vitest';
import { spanOfCall, spansOfAttempt, type TracedAttempt, type TracedCall } from '../../../domain/trace/call-spans.js';
import { spanIdOf, traceIdOf } from '../../../domain/trace/span.js';
import type { TracedTarget } from '../../../domain/trace/target-span.js';

const callId = '019a0000-1111-7222-8333-444455556666';
const at = (seconds: number): Date => new Date(1_700_000_000_000 + seconds * 1_000);
const attempt = (changes: Partial<TracedAttempt> = {}): TracedAttempt => ({
  ...{
    callId,
    attempt: 1,
    accountId: 'acc_1',
    batchId: null,
    gatewayId: 'gwo_1',
    agentId: 'agt_1',
    versionId: 'ver_1',
  },
  ...{ invites: 1, status: 'answered', reason: 'callee_hung_up', sipStatusCode: 200, simulated: false },
  ...{ queuedAt: at(0), dueAt: at(2), claimedAt: at(3), dialAt: at(4), dialedAt: at(4.1), ringingAt: at(5) },
  ...{ answeredAt: at(8), endedAt: at(30), reportedAt: at(31), firstSoundMs: 900, targets: null, turns: null },
  ...changes,
});
const call = (changes: Partial<TracedCall> = {}): TracedCall => ({
  ...{ callId, accountId: 'acc_1', batchId: `batch_${uuid()}`, gatewayId: 'gwo_1', agentId: 'agt_1', type: 'outbound' },
  ...{
    status: 'answered',
    reason: null,
    simulated: false,
    attempts: 1,
    startedAt: at(0),
    endedAt: at(30),
    againAt: null,
  },
  ...changes,
});
const secondsOf = (spans: ReturnType<typeof spansOfAttempt>) =>
  Object.fromEntries(
    spans.map(({ name, startMs, endMs }) => [name, [startMs, endMs].map((ms) => (ms - at(0).getTime()) / 1_000)]),
  );

test('a trace is found by the id of its call, and no two spans of it have one id', () => {
  expect(traceIdOf(callId)).toBe('019a0000111172228333444455556666');
  expect(spanIdOf(callId)).toBe('8333444455556666');
  const numbers = [...Array.from({ length: 300 }, (_, number) => number), 32_766, 32_767];
  const ids = new Set(
    numbers.flatMap((number) => Array.from({ length: 16 }, (_, part) => spanIdOf(callId, number, part))),
  );
  expect(ids.size).toBe(numbers.length * 16);
});

const target = (changes: Partial<TracedTarget> = {}): TracedTarget => ({
  ...{ gatewayId: 'gwo_2', status: 'failed', sipStatusCode: null, sentMs: at(10).getTime(), answeredMs: null },
  ...{ endedMs: at(14).getTime(), leftMs: null },
  ...changes,
});

test('each telephone that a warm transfer called has a span in its attempt, from the INVITE until it is hung up', () => {
  const targets = [
    target({ sipStatusCode: 486 }),
    target({ answeredMs: at(12).getTime(), leftMs: at(16).getTime() }),
    target({
      status: 'transferred',
      sentMs: at(20).getTime(),
      answeredMs: at(22).getTime(),
      endedMs: at(25).getTime(),
    }),
  ];
  const spans = spansOfAttempt(attempt({ targets }));
  const ofTargets = spans.filter(({ name }) => name === 'transfer target');
  const seconds = (ms: number) => (ms - at(0).getTime()) / 1_000;
  expect(ofTargets.map(({ startMs, endMs }) => [seconds(startMs), seconds(endMs)])).toEqual([
    [10, 14],
    [10, 16],
    [20, 30],
  ]);
  expect(ofTargets.map(({ events = [] }) => events.map(({ name, atMs }) => [name, seconds(atMs)]))).toEqual([
    [],
    [['answered', 12]],
    [
      ['answered', 22],
      ['joined', 25],
    ],
  ]);
  expect(ofTargets[0]?.attributes).toMatchObject({ 'outdial.sip_status_code': 486, 'outdial.gateway_id': 'gwo_2' });
  expect(new Set(ofTargets.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([spanIdOf(callId, 1)]));
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
});

test('the spans of an attempt follow one another from the queue to the report', () => {
  const spans = spansOfAttempt(attempt());
  expect(secondsOf(spans)).toEqual({
    ...{ attempt: [0, 30], 'wait until due': [0, 2], queue: [2, 3], 'prepare and pace': [3, 4], gate: [4, 4.1] },
    ...{
      INVITE: [4.1, 8],
      ring: [5, 8],
      conversation: [8, 30],
      'first sound': [8, 8.9],
      'tell the workflow': [30, 31],
    },
  });
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
});

test('clocks that differ bend no span: none begins before the step before it, none is outside of its attempt', () => {
  const spans = spansOfAttempt(
    attempt({
      claimedAt: at(1),
      dialAt: at(0.5),
      dialedAt: at(4),
      ringingAt: at(3),
      answeredAt: at(2),
      endedAt: at(3.5),
    }),
  );
  for (const span of spans) {
    expect(span.endMs).toBeGreaterThanOrEqual(span.startMs);
    expect(span.startMs).toBeGreaterThanOrEqual(at(0).getTime());
    if (span.name !== 'tell the workflow') expect(span.endMs).toBeLessThanOrEqual(at(3.5).getTime());
  }
});

test('an attempt that was never dialed has waited, and nothing else', () => {
  const never = {
    claimedAt: null,
    dialAt: null,
    dialedAt: null,
    ringingAt: null,
    answeredAt: null,
    firstSoundMs: null,
  };
  const spans = spansOfAttempt(
    attempt({ ...never, invites: 0, status: 'failed', reason: 'do_not_call', endedAt: at(9) }),
  );
  expect(secondsOf(spans)).toEqual({
    ...{ attempt: [0, 9], 'wait until due': [0, 2], queue: [2, 9], 'tell the workflow': [9, 31] },
  });
  expect(spans[0]).toMatchObject({ failed: true, attributes: { 'outdial.reason': 'do_not_call' } });
});

test('a call that is called again keeps its root: what follows is a span within it', () => {
  const root = spanOfCall(call());
  const again = spanOfCall(call({ attempts: 2, againAt: at(100), endedAt: at(130) }));
  expect(root).toMatchObject({ parentSpanId: null, spanId: spanIdOf(callId), links: [expect.anything()] });
  expect(again).toMatchObject({ name: 'call again', parentSpanId: root.spanId, startMs: at(100).getTime() });
  expect(again.spanId).not.toBe(root.spanId);
});
