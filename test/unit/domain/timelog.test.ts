import { expect, test } from 'vitest';
import type { AttemptStatus, RecordStatus } from '../../../domain/call/call.js';
import {
  attemptStatus,
  callStatusOf,
  timelogOf,
  type TimelogAttempt,
  type TimelogCall,
} from '../../../domain/call/timelog.js';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 9, 0, second));
const attempt = (ordinal: number, change: Partial<TimelogAttempt> = {}): TimelogAttempt => ({
  attempt: ordinal,
  dialedAt: null,
  ringingAt: null,
  answeredAt: null,
  endedAt: null,
  outcome: null,
  ...change,
});
const call = (status: RecordStatus, attempts: TimelogAttempt[] = [], endedAt: Date | null = null): TimelogCall => ({
  type: 'outbound',
  createdAt: at(0),
  status,
  endedAt,
  attempts,
});
const told = (subject: TimelogCall) =>
  timelogOf(subject).map(({ status, at: time }) => `${status} ${time.getUTCSeconds()}`);

// shows: call.initiated
test('a call begins initiated, and stays so until something of its attempt is heard', () => {
  expect(told(call('pending'))).toEqual(['initiated 0']);
  expect(told(call('pending', [attempt(1)]))).toEqual(['initiated 0']);
  expect(told(call('dialing', [attempt(1, { dialedAt: at(1) })]))).toEqual(['initiated 0']);
});

// shows: calls.timelog
test('ringing, answer and end are told when they were seen', () => {
  const ringing = { dialedAt: at(1), ringingAt: at(2) };
  const answered = { ...ringing, answeredAt: at(3) };
  const ended = { ...answered, endedAt: at(9), outcome: 'answered' as const };
  expect(told(call('dialing', [attempt(1, ringing)]))).toEqual(['initiated 0', 'ringing 2']);
  expect(told(call('in-progress', [attempt(1, answered)]))).toEqual(['initiated 0', 'ringing 2', 'answered 3']);
  expect(told(call('answered', [attempt(1, ended)], at(9)))).toEqual([
    'initiated 0',
    'ringing 2',
    'answered 3',
    'ended 9',
  ]);
});

// shows: calls.ends
test.each<AttemptStatus>(['failed', 'not-answered', 'rejected', 'missed', 'abandoned'])(
  'an unsuccessful end is told in its own word: %s',
  (outcome) => {
    const subject = call(outcome, [attempt(1, { dialedAt: at(1), endedAt: at(5), outcome })], at(5));
    expect(told(subject)).toEqual(['initiated 0', `${outcome} 5`]);
    expect(callStatusOf(subject)).toBe(outcome);
  },
);

test('each retry begins with initiated', () => {
  const first = attempt(1, { dialedAt: at(1), ringingAt: at(2), endedAt: at(4), outcome: 'not-answered' });
  const second = attempt(2, { dialedAt: at(30), ringingAt: at(31), answeredAt: at(32) });
  expect(told(call('retrying', [first, attempt(2)]))).toEqual(['initiated 0', 'ringing 2', 'not-answered 4']);
  expect(told(call('in-progress', [first, second]))).toEqual([
    'initiated 0',
    'ringing 2',
    'not-answered 4',
    'initiated 30',
    'ringing 31',
    'answered 32',
  ]);
});

test('a call that was cancelled before it was dialed, or between two attempts, ends abandoned', () => {
  const first = attempt(1, { dialedAt: at(1), endedAt: at(4), outcome: 'missed' });
  expect(told(call('cancelled', [], at(7)))).toEqual(['initiated 0', 'abandoned 7']);
  expect(told(call('cancelled', [first], at(7)))).toEqual(['initiated 0', 'missed 4', 'abandoned 7']);
});

test('a call that failed without being dialed says so once', () => {
  const undialed = attempt(1, { endedAt: at(6), outcome: 'failed' });
  expect(told(call('failed', [undialed], at(6)))).toEqual(['initiated 0', 'failed 6']);
  expect(told(call('failed', [], at(6)))).toEqual(['initiated 0', 'failed 6']);
});

test('an inbound call begins incoming', () => {
  expect(told({ ...call('in-progress', [attempt(1, { answeredAt: at(1) })]), type: 'inbound' })).toEqual([
    'incoming 0',
    'answered 1',
  ]);
});

test('time never runs backwards, whosever clock saw what', () => {
  const early = attempt(1, {
    dialedAt: at(3),
    ringingAt: at(5),
    answeredAt: at(4),
    endedAt: at(8),
    outcome: 'answered',
  });
  expect(told(call('answered', [early], at(8)))).toEqual(['initiated 0', 'ringing 5', 'answered 5', 'ended 8']);
});

test('an attempt is where its times say, until its outcome does', () => {
  expect(attemptStatus(attempt(1, { dialedAt: at(1) }))).toBe('initiated');
  expect(attemptStatus(attempt(1, { dialedAt: at(1), ringingAt: at(2) }))).toBe('ringing');
  expect(attemptStatus(attempt(1, { dialedAt: at(1), ringingAt: at(2), answeredAt: at(3) }))).toBe('answered');
  expect(attemptStatus(attempt(1, { answeredAt: at(3), endedAt: at(4), outcome: 'answered' }))).toBe('ended');
  expect(attemptStatus(attempt(1, { endedAt: at(4), outcome: 'missed' }))).toBe('missed');
});

// shows: calls.transfer-log
test('a transfer is told before the end that it caused, and leaves the status as it is', () => {
  const answered = { dialedAt: at(1), answeredAt: at(3) };
  const busy = { attempt: 1, requestedAt: at(4), endedAt: at(6), transferred: false };
  const live = { ...call('in-progress', [attempt(1, answered)]), transfers: [busy] };
  expect(told(live)).toEqual(['initiated 0', 'answered 3', 'transfer-initiated 4', 'transfer-failed 6']);
  expect(callStatusOf(live)).toBe('answered');

  const taken = { attempt: 1, requestedAt: at(7), endedAt: at(10), transferred: true };
  const over = attempt(1, { ...answered, endedAt: at(9), outcome: 'answered' });
  const ended = { ...call('answered', [over], at(9)), transfers: [busy, taken] };
  expect(told(ended).slice(4)).toEqual(['transfer-initiated 7', 'transferred 10', 'ended 10']);
  expect(callStatusOf(ended)).toBe('ended');
});
