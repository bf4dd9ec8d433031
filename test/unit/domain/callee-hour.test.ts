import { expect, test } from 'vitest';
import { calleeHour } from '../../../domain/call/callee-hour.js';

const at = new Date('2027-03-28T22:45:00Z');

test('an hour is that of the first zone in which the callee may be, with its day', () => {
  expect(calleeHour(at, ['Asia/Kolkata', 'America/Chicago'])).toBe('2027-03-29T04:00');
  expect(calleeHour(at, ['America/Chicago'])).toBe('2027-03-28T17:00');
  // The clocks of Berlin went forward that morning.
  expect(calleeHour(at, ['Europe/Berlin'])).toBe('2027-03-29T00:00');
});

test('without a zone, or with one that nobody knows, there is no hour: the end of the call is stored all the same', () => {
  expect(calleeHour(at, [])).toBeNull();
  expect(calleeHour(at, ['Mars/Olympus'])).toBeNull();
});
