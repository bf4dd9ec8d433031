import { expect, test } from 'vitest';
import { versionFindings } from '../../../cli/doctor/installation.js';
import {
  noVersions,
  stateOf,
  versionsInUse,
  versionTroubles,
  type WorkerVersion,
} from '../../../domain/workflow/worker-versions.js';

const version = (buildId: string | null, fields: Partial<WorkerVersion> = {}): WorkerVersion => ({
  ...{ buildId, role: null, rampPercent: null, hasWorker: true, pinned: 0, isNew: false, mayEnd: false },
  ...fields,
});

test('nothing is said where workers have no versions, or where all is as it should be', () => {
  expect(versionTroubles([])).toEqual([]);
  expect(versionFindings([])).toEqual([]);
  const fine = [
    version(null, { hasWorker: false, mayEnd: true }),
    version('1', { mayEnd: true }),
    version('2', { role: 'current' }),
  ];
  expect(versionTroubles(fine)).toEqual([]);
  expect(versionFindings(fine)).toEqual([
    {
      check: 'worker versions',
      state: 'ok',
      message: 'new batches begin on version 2 of the workers; to be ended: version 1 of the workers',
    },
  ]);
});

test('what is pinned to a version without workers is named with its remedy', () => {
  expect(versionTroubles([version(null, { role: 'current' }), version('1', { hasWorker: false, pinned: 1 })])).toEqual([
    '1 workflow of a batch or call is pinned to version 1, and no worker of it runs: retries and ends wait. Start its workers ' +
      'again, or have the others take over: outdial worker-version retire 1.',
  ]);
});

test('that nothing new begins is named, and that workers run in vain', () => {
  const nobody = version(null, { role: 'current', hasWorker: false });
  expect(versionTroubles([nobody, version('1', { isNew: true })])).toEqual([
    'No version of the workers is current, and no worker without a version runs: nothing new begins. outdial worker-version use 1 ' +
      'makes workers that run take it.',
  ]);
  expect(versionTroubles([version(null), version('1', { role: 'current', hasWorker: false })])).toEqual([
    'Version 1 of the workers is current, and no worker of it runs: nothing new begins. outdial worker-version use --unversioned ' +
      'makes workers that run take it.',
  ]);
  expect(versionTroubles([version(null), version('1', { role: 'current' }), version('2', { isNew: true })])).toEqual([
    'Workers of version 2 run and take no work: the current version is 1. outdial worker-version use 2 makes it current.',
  ]);
  expect(versionFindings('refused')).toMatchObject([{ state: 'warning' }]);
});

test('a version is new, current, ramping, draining or drained, and one that is over without workers is shown to nobody', () => {
  const versions = [
    version(null, { hasWorker: false, mayEnd: true }),
    version('1', { mayEnd: true }),
    version('2', { pinned: 3, hasWorker: false }),
    version('3', { role: 'current' }),
    version('4', { role: 'ramping', rampPercent: 10 }),
    version('5', { isNew: true }),
  ];
  expect(versions.map(stateOf)).toEqual(['drained', 'drained', 'draining', 'current', 'ramping', 'new']);
  expect(versionsInUse({ ...noVersions, versions }).map(({ buildId }) => buildId)).toEqual(['1', '2', '3', '4', '5']);
});
