import { expect, test } from 'vitest';
import type { AttemptBeforeEnd } from '../../../db/queries/dialer/lock-for-progress.js';
import { decide } from '../../../dialer/decide.js';
import type { AttemptResult } from '../../../telephony/provider.js';

const before: AttemptBeforeEnd = {
  ...{
    callId: '01990000-0000-7000-8000-000000000001',
    attempt: 1,
    invite: 1,
    gatewayId: 'gwo_x',
    dialedAt: new Date('2026-03-01T09:59:00Z'),
    now: new Date('2026-03-01T10:00:01Z'),
  },
  claimId: '01990000-0000-4000-8000-000000000002',
  ...{
    freeTries: 0,
    throttledSeconds: 0,
    consecutiveSilences: 0,
    gatewaySuspended: false,
    cancelling: false,
    stopsAfterAnswers: false,
    stopsAtCost: false,
    ofBatch: true,
  },
  callbackAt: null,
  ...{ hangUpReason: null, answeredBy: null, announced: false, toNumber: '+14155550123', timeZones: null },
  retry: { retryOn: ['rejected', 'failed'], retryDelaysSeconds: [60, 300] },
};
const at = new Date('2026-03-01T10:00:00Z');
const busy: AttemptResult = { how: 'refused', rang: true, sipStatusCode: 486, sipPhrase: 'Busy Here', at };

test('a retry is due its delay after the end of the attempt, by the number of attempts made', () => {
  const first = decide(before, busy, null, 1);
  expect(first.kind === 'end' && first.end.nextAttemptAt).toEqual(new Date('2026-03-01T10:01:00Z'));
  const second = decide({ ...before, attempt: 2 }, busy, null, 1);
  expect(second.kind === 'end' && second.end.nextAttemptAt).toEqual(new Date('2026-03-01T10:05:00Z'));
  const last = decide({ ...before, attempt: 3 }, busy, null, 1);
  expect(last.kind === 'end' && last.end.nextAttemptAt).toBeNull();
});

test('a retry that would have been due while the batch is being cancelled is dropped, and counted as dropped', () => {
  const decision = decide({ ...before, cancelling: true }, busy, null, 1);
  expect(decision).toMatchObject({ kind: 'end', end: { status: 'rejected', nextAttemptAt: null, dropsRetry: true } });
  const answered = decide({ ...before, cancelling: true }, { how: 'ended', rang: true, at, answeredAt: at }, null, 1);
  expect(answered).toMatchObject({ kind: 'end', end: { status: 'answered', dropsRetry: false } });
});

const callbackAt = new Date('2026-03-03T17:00:00Z');
const conversation: AttemptResult = { how: 'ended', rang: true, at, answeredAt: at };

test.each([
  ['the callee hung up', null],
  ['the agent said goodbye', 'agent_hung_up'],
] as const)(
  'a callee who was promised another call is called then, whatever the plan says, if %s',
  (_how, hangUpReason) => {
    const promised = { ...before, callbackAt, hangUpReason };
    expect(decide(promised, conversation, null, 1)).toMatchObject({
      end: { status: 'answered', nextAttemptAt: callbackAt, isCallback: true, dropsRetry: false },
    });
    // Said by the carrier's simulator with the end of the call
    expect(decide({ ...before, hangUpReason }, { ...conversation, callbackAt }, null, 1)).toMatchObject({
      end: { nextAttemptAt: callbackAt, isCallback: true },
    });
    expect(decide(promised, busy, null, 1)).toMatchObject({ end: { nextAttemptAt: callbackAt, isCallback: true } });
  },
);

test.each(['opted_out', 'ended_by_api', 'account_suspended'] as const)(
  'no promise outlives a call that ends with %s',
  (reason) => {
    const decision = decide({ ...before, callbackAt, hangUpReason: reason }, conversation, null, 1);
    expect(decision).toMatchObject({ end: { nextAttemptAt: null, isCallback: false } });
  },
);

// shows: retry.unsuccessful
test.each([
  [null, true],
  ['agent_hung_up', true],
  ['opted_out', false],
  ['callee_silent', false],
  ['ended_by_api', false],
] as const)(
  'whether a conversation that ended with %s is followed depends on its analysis: %s',
  (hangUpReason, depends) => {
    const retry = { retryOn: ['unsuccessful'], retryDelaysSeconds: [60] } as const;
    const of = (change: object) => decide({ ...before, retry, hangUpReason, ...change }, conversation, null, 1);
    expect(of({})).toMatchObject({ end: { nextAttemptAt: null, dependsOnAnalysis: depends } });
    expect(of({ cancelling: true })).toMatchObject({ end: { dependsOnAnalysis: false } });
    expect(of({ answeredBy: 'machine' })).toMatchObject({ end: { dependsOnAnalysis: false } });
  },
);

test('a promise of a batch that is being cancelled is dropped, and counted as dropped; a single call has none', () => {
  expect(decide({ ...before, callbackAt, cancelling: true }, conversation, null, 1)).toMatchObject({
    end: { nextAttemptAt: null, isCallback: false, dropsRetry: true },
  });
  expect(decide({ ...before, callbackAt, ofBatch: false, retry: null }, conversation, null, 1)).toMatchObject({
    end: { nextAttemptAt: null, isCallback: false },
  });
});

test('what the carrier did not take goes back to the queue and consumes nothing', () => {
  const throttled: AttemptResult = {
    how: 'refused',
    rang: false,
    sipStatusCode: 503,
    sipPhrase: 'Trunk CPS limit exceeded',
    at,
  };
  expect(decide(before, throttled, null, 1)).toMatchObject({
    kind: 'requeue',
    sign: { kind: 'rate' },
    requeue: { afterSeconds: 1, freeTries: 1, throttled: true },
  });
  expect(decide(before, { how: 'not_sent', rang: false, at }, null, 1)).toMatchObject({ kind: 'requeue', sign: null });
});

test('a fault of the gateway is told to its health with the carrier’s words', () => {
  const refused: AttemptResult = { how: 'gateway_fault', rang: false, words: 'credentials refused', at };
  expect(decide(before, refused, null, 1)).toMatchObject({
    kind: 'requeue',
    sign: { kind: 'fault', words: 'credentials refused' },
    requeue: { freeTries: 0, throttled: false },
  });
});

test('an attempt that the gateway refuses ten times while other calls go through is given up; a suspended one waits', () => {
  const refused: AttemptResult = { how: 'gateway_fault', rang: false, words: 'destination not whitelisted', at };
  expect(decide({ ...before, invite: 9 }, refused, null, 1).kind).toBe('requeue');
  expect(decide({ ...before, invite: 10 }, refused, null, 1)).toMatchObject({
    kind: 'end',
    end: { status: 'failed', reason: 'refused_by_gateway' },
  });
  expect(decide({ ...before, invite: 10, gatewaySuspended: true }, refused, null, 1).kind).toBe('requeue');
});

test('a call that is to be ended is not dialed again, whatever its leg says', () => {
  const wanted = { ...before, hangUpReason: 'ended_by_api' as const };
  const cancelled = decide(wanted, { how: 'cancelled', rang: true, reason: 'ended_by_api', at }, null, 1);
  expect(cancelled).toMatchObject({
    kind: 'end',
    end: { status: 'abandoned', reason: 'ended_by_api', nextAttemptAt: null, dropsRetry: false },
  });
  expect(decide(wanted, busy, null, 1)).toMatchObject({
    kind: 'end',
    end: { status: 'rejected', nextAttemptAt: null },
  });
  const notSent = decide(wanted, { how: 'not_sent', rang: false, at }, null, 1);
  expect(notSent).toMatchObject({ kind: 'end', end: { status: 'abandoned', reason: 'ended_by_api', notSent: true } });
});

test('in a batch that is being cancelled, what was not dialed still goes back to the queue, for the cancel to settle', () => {
  const both = { ...before, cancelling: true, hangUpReason: 'ended_by_api' as const };
  expect(decide(both, { how: 'not_sent', rang: false, at }, null, 1).kind).toBe('requeue');
});

test('C12: a provider whose clock is wrong neither hastens nor puts off a retry', () => {
  for (const wrong of ['2026-03-01T08:00:00Z', '2026-03-01T13:00:00Z']) {
    const decision = decide(before, { ...busy, at: new Date(wrong) }, null, 1);
    expect(decision.kind === 'end' && decision.end.nextAttemptAt).toEqual(new Date('2026-03-01T10:01:01Z'));
  }
});

const talked: AttemptResult = {
  how: 'ended',
  rang: true,
  reason: 'callee_hung_up',
  answeredAt: at,
  answeredBy: 'unknown',
  at,
};
const onVoicemail = { ...before, retry: { retryOn: ['voicemail', 'missed'] as const, retryDelaysSeconds: [60, 300] } };

// shows: retry.voicemail
test('a machine that the agent has noted is called again if the plan says so, also if the agent ended the call for it', () => {
  const due = new Date('2026-03-01T10:01:00Z');
  const noted = { ...onVoicemail, answeredBy: 'machine' as const };
  expect(decide(noted, talked, null, 1)).toMatchObject({
    end: { status: 'answered', answeredBy: 'machine', nextAttemptAt: due },
  });
  for (const hangUpReason of ['voicemail', 'voicemail_message_left'] as const) {
    const hungUp = decide({ ...noted, hangUpReason }, { ...talked, reason: hangUpReason }, null, 1);
    expect(hungUp).toMatchObject({ end: { status: 'answered', reason: hangUpReason, nextAttemptAt: due } });
  }
  const carriers = decide(onVoicemail, { ...talked, answeredBy: 'machine' }, null, 1);
  expect(carriers).toMatchObject({ end: { nextAttemptAt: due } });
});

test('neither a person nor a machine whose call was ended by a request is called again', () => {
  const person = decide({ ...onVoicemail, answeredBy: 'human' }, talked, null, 1);
  expect(person).toMatchObject({ end: { nextAttemptAt: null } });
  const ended = { ...onVoicemail, answeredBy: 'machine', hangUpReason: 'ended_by_api' } as const;
  expect(decide(ended, { ...talked, reason: 'ended_by_api' }, null, 1)).toMatchObject({ end: { nextAttemptAt: null } });
});

// shows: calls.announcement
test('an announcement is a missed call with its own reason, also if the carrier ends it before our hang-up is told', () => {
  const decision = decide({ ...onVoicemail, answeredBy: 'machine', hangUpReason: 'announcement' }, talked, null, 1);
  expect(decision).toMatchObject({
    sign: { kind: 'normal' },
    end: {
      status: 'missed',
      reason: 'announcement',
      sipStatusCode: 200,
      nextAttemptAt: new Date('2026-03-01T10:01:00Z'),
    },
  });
});
