import { expect, test } from 'vitest';
import { nextQuestionInMs } from '../../../dialer/pacing.js';

test('after a slot that is as near as can be, the next question follows at once', () => {
  expect(nextQuestionInMs(Infinity, 20, 20)).toBe(0);
  expect(nextQuestionInMs(Infinity, 0, 20)).toBe(0);
});

test('while slots are given ahead, dials gather for less than the time until the next one, and for a tenth of a second at most', () => {
  expect(nextQuestionInMs(Infinity, 100, 20)).toBe(40);
  expect(nextQuestionInMs(Infinity, 270, 20)).toBe(100);
});

test('a dial without a slot asks again when one may be free, within a second', () => {
  expect(nextQuestionInMs(150, 250, 20)).toBe(150);
  expect(nextQuestionInMs(5, 250, 20)).toBe(100);
  expect(nextQuestionInMs(3_000, 250, 20)).toBe(1_000);
});
