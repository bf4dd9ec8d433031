import { afterEach, expect, test, vi } from 'vitest';
import { watchVersions } from '../../../cli/roles/watch-versions.js';
import type { WorkerVersion } from '../../../domain/workflow/worker-versions.js';

const gone: WorkerVersion = {
  ...{ buildId: '1.0.0', role: null, rampPercent: null, hasWorker: false, pinned: 2, isNew: false, mayEnd: false },
};
const current: WorkerVersion = { ...gone, buildId: '1.1.0', role: 'current', hasWorker: true };
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.useRealTimers();
});

test('batches of versions that have workers are not asked for, and one question is asked at a time', async () => {
  const list = vi.fn(() => Promise.resolve([current, gone]));
  const batchesOn = vi.fn(() => Promise.resolve(['batch_1', 'batch_2']));
  const watch = watchVersions({ list, batchesOn });
  stops.push(() => watch.close());
  await Promise.all([watch.look(), watch.look()]);
  expect(list).toHaveBeenCalledTimes(1);
  expect(batchesOn.mock.calls).toEqual([['1.0.0']]);
  expect(watch.now().versions).toEqual([current, gone]);
  expect([...watch.now().strandedBatches]).toEqual([
    ['batch_1', '1.0.0'],
    ['batch_2', '1.0.0'],
  ]);
});

test('while Temporal is away the versions stay as they were for a minute, then nothing is said of them', async () => {
  let isAway = false;
  let nowMs = 0;
  const list = () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve([current]));
  const watch = watchVersions({ list, batchesOn: () => Promise.resolve([]) }, () => nowMs);
  stops.push(() => watch.close());
  await watch.look();
  isAway = true;
  nowMs = 60_000;
  await watch.look();
  expect(watch.now().versions).toEqual([current]);
  nowMs = 60_001;
  await watch.look();
  expect(watch.now().versions).toEqual([]);
  isAway = false;
  await watch.look();
  expect(watch.now().versions).toEqual([current]);
});

test('it looks every ten seconds by itself, and no more once it is closed', async () => {
  vi.useFakeTimers();
  const list = vi.fn(() => Promise.resolve([current]));
  const watch = watchVersions({ list, batchesOn: () => Promise.resolve([]) });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(list).toHaveBeenCalledTimes(4);
  watch.close();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(list).toHaveBeenCalledTimes(4);
});
