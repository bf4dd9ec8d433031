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

test('the greeting is measured from the answer, and each answer from the end of what was said', () => {
  timings.answered(1_000);
  timings.spoke(1_420);
  timings.calleeStopped(5_300);
  timings.turnTaken(5_000);
  timings.spoke(5_900);
  expect([greetings, turns]).toEqual([[420], [900]]);
  expect(last).toEqual({
    answeredToSpeechMs: 420,
    turns: [{ at: new Date(5_900).toISOString(), ms: 900 }],
  });
});

test('if nothing more exact is known, a turn ends when silence was noticed', () => {
  timings.calleeStopped(5_300);
  timings.turnTaken();
  timings.spoke(5_900);
  expect(turns).toEqual([600]);
});

test('what the agent says unprompted counts as no answer', () => {
  timings.calleeStopped(1_000);
  timings.turnTaken();
  timings.ownAccord();
  timings.spoke(9_000);
  expect(turns).toEqual([]);
});

test('a noise that is no turn is not measured, nor an agent that goes on after it', () => {
  timings.calleeStopped(1_000);
  timings.spoke(1_900);
  timings.turnTaken(1_000);
  timings.spoke(9_000);
  expect(turns).toEqual([]);
});

test('an agent that takes over does not greet again', () => {
  timings.spoke(1_000);
  expect([greetings, last]).toEqual([[], null]);
});
