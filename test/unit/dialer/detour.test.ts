import { expect, test } from 'vitest';
import { afterRefusal, secondsUnprepared, stepsAfterRefusals } from '../../../dialer/detour.js';

test('C1: nothing is written about an attempt that is not this process’s any more', () => {
  expect(afterRefusal.lost).toEqual({ to: 'nowhere' });
});

test('an attempt that missed its slot keeps its claim and gets another slot', () => {
  expect(afterRefusal.late).toEqual({ to: 'pace' });
});

test('of all refusals only the do-not-call list ends a call', () => {
  const settled = Object.entries(afterRefusal).filter(([, step]) => step.to === 'settle');
  expect(settled.map(([refusal]) => refusal)).toEqual(['do_not_call']);
});

test('a call that cannot be prepared waits as long as none could be, a second at least and a minute at most', () => {
  expect([0, 0.4, 1.5, 30, 60, 3_600].map(secondsUnprepared)).toEqual([1, 1, 1.5, 30, 60, 60]);
});

test('refused attempts that go the same way go together, those that get another slot first', () => {
  const steps = stepsAfterRefusals([
    ['a', 'guardrails_changed'],
    ['b', 'late'],
    ['c', 'window_closed'],
    ['d', 'lost'],
    ['e', null],
  ]);
  expect(steps).toEqual([
    [{ to: 'pace' }, ['b']],
    [{ to: 'queue', afterSeconds: 0 }, ['c', 'a']],
    [{ to: 'nowhere' }, ['d']],
  ]);
});
