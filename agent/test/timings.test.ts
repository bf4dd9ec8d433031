import { beforeEach, expect, test } from 'vitest';
import type { RunTimings } from '../../db/queries/calls/agent-runs.js';
import { measureTimings, type Timings } from '../conversation/timings.js';

let timings: Timings;
let greetings: number[];
let turns: number[];
let last: RunTimings | null;
beforeEach(() => {
  [greetings, turns, last] = [[], [], null];
  timings = measureTimings({
    onGreeting: (ms) => greetings.push(ms),
    onTurn: (ms) => turns.push(ms),
    onChange: (now) => (last = structuredClone(now)),
  });
});

test('F3: the greeting is measured from the answer, and each answer from the end of what was said', () => {
  timings.greets();
  timings.answered(1_000);
  timings.sounded(1_420);
  timings.calleeStopped(5_300);
  timings.turnTaken(5_000);
  timings.sounded(5_900);
  expect([greetings, turns]).toEqual([[420], [900]]);
  expect(last).toEqual({
    answeredToSpeechMs: 420,
    turns: [{ at: new Date(5_900).toISOString(), ms: 900 }],
  });
});

test('if nothing more exact is known, a turn ends when silence was noticed', () => {
  timings.calleeStopped(5_300);
  timings.turnTaken();
  timings.sounded(5_900);
  expect(turns).toEqual([600]);
});

test('what the agent says unprompted counts as no answer', () => {
  timings.calleeStopped(1_000);
  timings.turnTaken();
  timings.ownAccord();
  timings.sounded(9_000);
  expect(turns).toEqual([]);
});

test('a noise that is no turn is not measured, nor an agent that goes on after it', () => {
  timings.calleeStopped(1_000);
  timings.sounded(1_900);
  timings.turnTaken(1_000);
  timings.sounded(9_000);
  expect(turns).toEqual([]);
});

test('an agent that takes over does not greet again', () => {
  timings.sounded(1_000);
  expect([greetings, last]).toEqual([[], null]);
});

test('F3: an answer that becomes known after the greeting has begun counts from when it was', () => {
  timings.greets();
  timings.sounded(3_400);
  expect(last).toBeNull();
  timings.answered(1_000);
  timings.sounded(9_000);
  expect([greetings, last]).toEqual([[2_400], { answeredToSpeechMs: 2_400, turns: [] }]);
});

test('F3: an agent that lets the callee speak first is not late with a greeting: its answer is a turn', () => {
  timings.answered(1_000);
  timings.calleeStopped(5_000);
  timings.turnTaken();
  timings.sounded(5_800);
  expect([greetings, turns]).toEqual([[], [800]]);
});

test('F3: of several reports of one end of speech the earliest counts, and none of speech that went on', () => {
  timings.calleeSpeaks();
  timings.calleeStopped(1_000);
  timings.calleeSpeaks();
  timings.calleeStopped(5_000);
  timings.calleeStopped(5_400);
  timings.turnTaken(5_300);
  timings.sounded(6_000);
  expect(turns).toEqual([1_000]);
});
