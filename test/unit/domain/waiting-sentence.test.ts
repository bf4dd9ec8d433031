import { expect, test } from 'vitest';
import { waitingSentence } from '../../../domain/batch/waiting-sentence.js';
import type { Waits } from '../../../domain/batch/waiting.js';
import { listedWaitingReasons, type WaitingReason } from '../../../domain/batch/waiting-reasons.js';

const now = new Date('2026-03-02T06:00:00Z');
const nineInChicago = new Date('2026-03-02T15:00:00Z');
const waits = (reason: WaitingReason, count: number, more: Partial<Waits> = {}): Waits => ({
  ...{ reason, count, until: null, zone: 'America/Chicago', spread: false },
  ...more,
});
const say = (...all: Waits[]) => waitingSentence(all, now);

test('the most are named first, with the clock of the recipients, and the verb is said once', () => {
  expect(say(waits('gateway_limit', 40), waits('calling_window', 9_120, { until: nineInChicago }))).toBe(
    '9,120 wait until 09:00 in Chicago; 40 for a free line.',
  );
});

test('nobody waits', () => {
  expect(say()).toBe('No call waits.');
});

test('one recipient waits, and one is next', () => {
  expect(say(waits('gateway_limit', 1))).toBe('1 waits for a free line.');
  expect(say(waits('ready', 1))).toBe('1 is next to be dialed.');
  expect(say(waits('gateway_limit', 2), waits('no_agent_slot', 1))).toBe(
    '2 wait for a free line; 1 waits for a free agent.',
  );
  expect(say(waits('ready', 5), waits('gateway_limit', 2))).toBe('5 are next to be dialed; 2 wait for a free line.');
  expect(say(waits('no_agent_slot', 9), waits('ready', 5), waits('gateway_limit', 2))).toBe(
    '9 wait for a free agent; 5 are next to be dialed; 2 wait for a free line.',
  );
});

test('recipients of several zones have the clock of the first', () => {
  expect(say(waits('calling_window', 12_000, { until: nineInChicago, spread: true }))).toBe(
    '12,000 wait for the calling window to open, the first until 09:00 in Chicago.',
  );
});

test.each([
  ['2026-03-03T15:00:00Z', '09:00 in Chicago on Tuesday'],
  ['2026-03-12T14:00:00Z', '09:00 in Chicago on 12 March'],
  ['2027-01-12T15:00:00Z', '09:00 in Chicago on 12 January'],
  ['2027-03-12T15:00:00Z', '09:00 in Chicago on 12 March 2027'],
  ['2028-01-24T15:00:00Z', '09:00 in Chicago on 24 January 2028'],
])('%s is another day there, and it is said which', (until, words) => {
  expect(say(waits('calling_window', 2, { until: new Date(until) }))).toBe(`2 wait until ${words}.`);
});

test('a zone that is no place keeps its name', () => {
  expect(say(waits('retry_delay', 1, { until: new Date('2026-03-02T10:32:00Z'), zone: 'UTC' }))).toBe(
    '1 waits for a retry at 10:32 UTC.',
  );
  expect(say(waits('not_started', 3, { until: now, zone: 'America/Argentina/Buenos_Aires' }))).toBe(
    '3 wait for the start at 03:00 in Buenos Aires.',
  );
});

test.each(listedWaitingReasons)('%s is said in words for one and for many, with a time and without', (reason) => {
  for (const count of [1, 1_234]) {
    for (const until of [null, nineInChicago]) {
      const sentence = say(waits(reason, count, { until }));
      expect(sentence).toMatch(count === 1 ? /^1 (waits|is) \S.*\w\.$/ : /^1,234 (wait|are) \S.*\w\.$/);
      expect(sentence).not.toMatch(/undefined|null|NaN|_/);
    }
  }
});

test('those whose calling window never opens are counted, with what becomes of them', () => {
  const ends = 'they end failed a day after they were queued, unless callingWindow is changed';
  const never = 'that is open at no hour in all of their time zones';
  expect(say(waits('calling_window', 3, { neverOpen: 3 }))).toBe(`3 wait for a calling window ${never} (${ends}).`);
  expect(say(waits('calling_window', 5_012, { until: nineInChicago, spread: true, neverOpen: 5_000 }))).toBe(
    `5,012 wait for the calling window to open, the first until 09:00 in Chicago (5,000 of them for one ${never}: ${ends}).`,
  );
});
