import { expect, test } from 'vitest';
import { afterRefusal, secondsAfterFailure, stepsAfterRefusals } from '../../../dialer/detour.js';

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

test('a call that cannot be prepared waits 1, 2, 4 s and so on, a minute at most', () => {
  expect([0, 1, 2, 5, 6, 40].map((invite) => secondsAfterFailure('prepare', invite))).toEqual([1, 2, 4, 32, 60, 60]);
});

test('a call for which another step failed waits a second, however often it was tried', () => {
  expect([0, 40].map((invite) => secondsAfterFailure('pace', invite))).toEqual([1, 1]);
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
