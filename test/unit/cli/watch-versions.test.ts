import { afterEach, expect, test, vi } from 'vitest';
import { watchVersions } from '../../../cli/roles/watch-versions.js';
import type { WorkerVersion } from '../../../domain/workflow/worker-versions.js';

const gone: WorkerVersion = {
  ...{ buildId: '1.0.0', role: null, rampPercent: null, hasWorker: false, pinned: 2, isNew: false, mayEnd: false },
};
const current: WorkerVersion = { ...gone, buildId: '1.1.0', role: 'current', hasWorker: true };
const hasWorker = () => Promise.resolve(true);
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.useRealTimers();
});

test('batches of versions that have workers are not asked for, and one question is asked at a time', async () => {
  const list = vi.fn(() => Promise.resolve([current, gone]));
  const batchesOn = vi.fn(() => Promise.resolve(['batch_1', 'batch_2']));
  const watch = watchVersions({ list, batchesOn, hasWorker });
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

test('while Temporal is away the versions stay as they were for a minute, then only that is said', async () => {
  let isAway = false;
  let nowMs = 0;
  const list = () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve([current]));
  const watch = watchVersions({ list, batchesOn: () => Promise.resolve([]), hasWorker }, () => nowMs);
  stops.push(() => watch.close());
  await watch.look();
  isAway = true;
  nowMs = 60_000;
  await watch.look();
  expect(watch.now().versions).toEqual([current]);
  nowMs = 60_001;
  await watch.look();
  expect(watch.now()).toMatchObject({ versions: [], missing: 'temporal' });
  isAway = false;
  await watch.look();
  expect(watch.now()).toMatchObject({ versions: [current], missing: null });
});

test('that no worker runs is said after half a minute, also if workers have no versions', async () => {
  let runs = false;
  let nowMs = 0;
  const nothing = () => Promise.resolve([]);
  const hasNone = () => Promise.resolve(runs);
  const watch = watchVersions({ list: nothing, batchesOn: nothing, hasWorker: hasNone }, () => nowMs);
  stops.push(() => watch.close());
  const missingAt = async (ms: number) => {
    nowMs = ms;
    await watch.look();
    return watch.now().missing;
  };
  expect([await missingAt(0), await missingAt(30_000), await missingAt(30_001)]).toEqual([null, null, 'worker']);
  runs = true;
  expect(await missingAt(40_000)).toBeNull();
  runs = false;
  expect([await missingAt(70_000), await missingAt(70_001)]).toEqual([null, 'worker']);
});

test('it looks every ten seconds by itself, and no more once it is closed', async () => {
  vi.useFakeTimers();
  const list = vi.fn(() => Promise.resolve([current]));
  const watch = watchVersions({ list, batchesOn: () => Promise.resolve([]), hasWorker });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(list).toHaveBeenCalledTimes(4);
  watch.close();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(list).toHaveBeenCalledTimes(4);
});
