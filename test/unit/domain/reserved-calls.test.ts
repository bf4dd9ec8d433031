import { expect, test } from 'vitest';
import { reservedCallsProblems } from '../../../domain/call/reserved-calls.js';

const problemOf = (
  reservedCalls: number,
  maxConcurrentCalls: number,
  ...sent: ('reservedCalls' | 'maxConcurrentCalls')[]
) =>
  reservedCallsProblems({ reservedCalls, maxConcurrentCalls }, sent).map(({ path, message }) => `${path}: ${message}`);

test('a gateway leaves batch calls one line at least; the problem is told at the field that was sent', () => {
  expect(problemOf(9, 10, 'reservedCalls')).toEqual([]);
  expect(problemOf(10, 10, 'reservedCalls')).toEqual([
    'reservedCalls: must be less than maxConcurrentCalls, which is 10: batch calls need a line',
  ]);
  expect(problemOf(5, 5, 'maxConcurrentCalls')).toEqual([
    'maxConcurrentCalls: must be more than reservedCalls, which is 5: batch calls need a line',
  ]);
  expect(problemOf(7, 5, 'maxConcurrentCalls', 'reservedCalls')).toEqual([
    'reservedCalls: must be less than maxConcurrentCalls, which is 5: batch calls need a line',
  ]);
});

test('a gateway of one line may reserve none, and a request that touches neither field has no problem', () => {
  expect(problemOf(0, 1, 'reservedCalls', 'maxConcurrentCalls')).toEqual([]);
  expect(problemOf(1, 1, 'reservedCalls')).toHaveLength(1);
  expect(problemOf(8, 3)).toEqual([]);
});
