import { expect, test } from 'vitest';
import { reportedLoad } from '../worker/worker.js';

/** Above it LiveKit sends a worker nothing: `agents.target_load`, unless its operator has changed it. */
const targetLoad = 0.7;

test.each([1, 3, 10, 64])(
  'of %i slots, each one that is taken makes a load, and all of them still leave LiveKit willing',
  (slots) => {
    expect(reportedLoad(0, slots)).toBe(0);
    expect(reportedLoad(1, slots)).toBeGreaterThan(0);
    expect(reportedLoad(slots, slots)).toBeLessThan(targetLoad);
  },
);

test('a worker with twice as many jobs as slots is full: those that come in by themselves go elsewhere', () => {
  expect(reportedLoad(6, 3)).toBe(1);
  expect(reportedLoad(9, 3)).toBe(1);
});
