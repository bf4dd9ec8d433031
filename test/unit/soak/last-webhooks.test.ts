import { expect, test } from 'vitest';
import { isStillTried } from '../../soak/last-webhooks.js';

const startMs = Date.parse('2026-11-22T12:00:00.000Z');
const after = (seconds: number): number => startMs + seconds * 1000;
/** Tries at these seconds that were not taken. */
const tried = (...seconds: readonly number[]) => ({
  status: 'pending',
  attempts: seconds.map((each) => ({ at: new Date(after(each)).toISOString() })),
});

test('a webhook is waited for until its next try is overdue', () => {
  const threeTimes = tried(0, 5, 35);
  expect([100, 155, 200].map((second) => isStillTried(threeTimes, after(second)))).toEqual([true, true, true]);
  expect(isStillTried(threeTimes, after(35 + 120 + 61))).toBe(false);
  expect(isStillTried(tried(0, 5, 35, 155), after(700))).toBe(true);
});

test('a webhook that was never tried, was given up, or is said to be delivered is not waited for', () => {
  expect(isStillTried(tried(), after(1))).toBe(false);
  for (const status of ['failed', 'delivered']) {
    expect(isStillTried({ ...tried(0), status }, after(1))).toBe(false);
  }
});
