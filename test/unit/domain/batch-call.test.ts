import { describe, expect, test } from 'vitest';
import {
  answerRateOf,
  asBatchStatus,
  batchStatuses,
  cancellableStatuses,
  cancelModeAfter,
  finishedStatuses,
  isFinished,
  noCalls,
  progressOf,
  statusesBefore,
  totalOf,
} from '../../../domain/batch/batch-call.js';
import { recordStatuses } from '../../../domain/call/call.js';

describe('statuses', () => {
  // shows: batch.state.cancelled
  test('every way is one of the documented ones', () => {
    const ways = batchStatuses.map((status) => [status, statusesBefore(status)]);
    expect(Object.fromEntries(ways)).toEqual({
      parsing: [],
      parse_failed: ['parsing'],
      scheduled: ['parsing'],
      running: ['parsing', 'scheduled'],
      cancelling: ['parsing', 'scheduled', 'running'],
      cancelled: ['cancelling'],
      completed: ['running', 'cancelling'],
    });
  });

  test('a batch is finished if nothing leads on, and can be cancelled everywhere else', () => {
    expect(finishedStatuses).toEqual(['parse_failed', 'cancelled', 'completed']);
    expect(cancellableStatuses).toEqual(['parsing', 'scheduled', 'running', 'cancelling']);
    expect(batchStatuses.filter(isFinished)).toEqual(finishedStatuses);
  });

  test('a status that the database made up is noticed', () => {
    expect(asBatchStatus('running')).toBe('running');
    expect(() => asBatchStatus('paused')).toThrow('paused');
  });
});

test('a cancel can be made harder and never softer', () => {
  expect(cancelModeAfter(null, 'graceful')).toBe('graceful');
  expect(cancelModeAfter(null, 'immediate')).toBe('immediate');
  expect(cancelModeAfter('graceful', 'immediate')).toBe('immediate');
  expect(cancelModeAfter('immediate', 'graceful')).toBe('immediate');
});

describe('counts', () => {
  test('the total is the sum over every status a record can have', () => {
    const counts = Object.fromEntries(recordStatuses.map((status, index) => [status, 10 ** index]));
    expect(totalOf({ ...noCalls, ...counts })).toBe(11_111_111_111);
  });

  test('progress is what is settled, and 100 only when all of it is', () => {
    expect(progressOf('parsing', noCalls)).toBe(0);
    expect(progressOf('running', { ...noCalls, pending: 1, dialing: 1, 'in-progress': 1, retrying: 1 })).toBe(0);
    expect(progressOf('running', { ...noCalls, pending: 1, answered: 999 })).toBe(99);
    expect(progressOf('running', { ...noCalls, missed: 1, cancelled: 1, pending: 2 })).toBe(50);
    expect(progressOf('running', { ...noCalls, answered: 3 })).toBe(100);
  });

  test('a finished batch is at 100, and one whose file could not be used at 0', () => {
    expect(progressOf('completed', noCalls)).toBe(100);
    expect(progressOf('cancelled', { ...noCalls, cancelled: 5 })).toBe(100);
    expect(progressOf('parse_failed', noCalls)).toBe(0);
  });

  test('the answer rate leaves out what was cancelled or has not ended', () => {
    expect(answerRateOf(noCalls)).toBe(0);
    expect(answerRateOf({ ...noCalls, answered: 1, missed: 2, cancelled: 100, pending: 100 })).toBe(0.3333);
    expect(answerRateOf({ ...noCalls, answered: 4 })).toBe(1);
  });
});
