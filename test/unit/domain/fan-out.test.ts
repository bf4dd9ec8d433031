import { expect, test } from 'vitest';
import { callsPerWorkflow, groupCount, groupOf, mostCallsPerWorkflow } from '../../../domain/batch/fan-out.js';

test.each([
  [1, 1, 1],
  [200, 1, 200],
  [201, 201, 1],
  [500, 500, 1],
  [501, 251, 2],
  [2_500, 500, 5],
  [5_000, 500, 10],
  [99_999, 500, 200],
  [100_000, 500, 200],
  [374_000, 500, 748],
])('%i calls are carried by %i each, in %i workflows', (calls, each, workflows) => {
  expect(callsPerWorkflow(calls)).toBe(each);
  expect(groupCount(calls, each)).toBe(workflows);
});

test('a workflow more is begun only if those before it are nearly full, at every size of a batch', () => {
  for (let calls = 201; calls < 20_000; calls += 97) {
    const each = callsPerWorkflow(calls);
    expect({ calls, workflows: groupCount(calls, each) }).toEqual({ calls, workflows: Math.ceil(calls / 500) });
  }
});

test('one workflow per call can be asked for, up to a thousand workflows', () => {
  expect(callsPerWorkflow(1_000, 1)).toBe(1);
  expect(callsPerWorkflow(1_001, 1)).toBe(2);
  expect(callsPerWorkflow(374_000, 1)).toBe(374);
});

test('a workflow never carries more than it can, whatever is asked for', () => {
  expect(callsPerWorkflow(10, 10_000)).toBe(mostCallsPerWorkflow);
  expect(callsPerWorkflow(0)).toBe(1);
});

test('every call belongs to one group, and groups are in the order of the file', () => {
  const each = callsPerWorkflow(1_234);
  const groups = Array.from({ length: 1_234 }, (_, position) => groupOf(position, each));
  expect(groups).toEqual(groups.toSorted((a, b) => a - b));
  expect(new Set(groups).size).toBe(groupCount(1_234, each));
});
