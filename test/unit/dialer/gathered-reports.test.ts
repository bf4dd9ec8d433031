import { expect, test } from 'vitest';
import { createGatheredReports } from '../../../dialer/gathered-reports.js';

let made = 0;
const end = (callsPerWorkflow: number | null, retryAtMs: number | null = null) => ({
  callId: `call ${++made}`,
  attempt: 1,
  batchId: callsPerWorkflow === null ? null : 'batch_1',
  position: 0,
  callsPerWorkflow,
  nextAttemptAt: retryAtMs === null ? null : new Date(retryAtMs),
});
const at = (ms: number) => ({ monotonicMs: ms, wallMs: 1_000_000 + ms });
const toldIn = (reports: ReturnType<typeof createGatheredReports>, ms: number, all = false) =>
  [...reports.take(at(ms), all).values()].flat().length;

test('a workflow of many calls that hears of ends all the time is told once a second', () => {
  const reports = createGatheredReports();
  const told = Array.from({ length: 21 }, (_, place) => {
    reports.add([end(500)]);
    return toldIn(reports, place * 200);
  });
  expect(told.flatMap((count, place) => (count === 0 ? [] : [[place * 200, count]]))).toEqual([
    [0, 1],
    [1_000, 5],
    [2_000, 5],
    [3_000, 5],
    [4_000, 5],
  ]);
});

test('a retry that is due within half a second is told at once, with the ends that wait', () => {
  const reports = createGatheredReports();
  reports.add([end(500)]);
  expect(toldIn(reports, 0)).toBe(1);
  reports.add([end(500), end(500, 1_000_000 + 1_200)]);
  expect(toldIn(reports, 600)).toBe(0);
  expect(toldIn(reports, 700)).toBe(2);
});

test('a single call, and a call with a workflow of its own, wait for nothing', () => {
  const reports = createGatheredReports();
  for (const callsPerWorkflow of [null, 1]) {
    reports.add([end(callsPerWorkflow)]);
    expect(toldIn(reports, 0)).toBe(1);
    reports.add([end(callsPerWorkflow)]);
    expect(toldIn(reports, 1)).toBe(1);
  }
});

test('an end that is added twice is told once; a dialer that stops keeps none back', () => {
  const reports = createGatheredReports();
  reports.add([end(500)]);
  expect(toldIn(reports, 0)).toBe(1);
  const last = end(500);
  reports.add([last]);
  reports.add([last]);
  expect(reports.has(last)).toBe(true);
  expect(toldIn(reports, 1, true)).toBe(1);
  expect(reports.isEmpty()).toBe(true);
});
