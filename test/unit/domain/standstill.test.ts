import { expect, test } from 'vitest';
import { missingOf, standstillOf, type StandstillFacts } from '../../../domain/batch/standstill.js';

const nothing: StandstillFacts = {
  ...{ fileTurn: null, isDue: true, dialers: 'working', missing: null, unsent: null },
  now: new Date('2026-03-02T15:00:00Z'),
};

test('a batch that is carried on says nothing', () => {
  expect(standstillOf(nothing)).toEqual([]);
  expect(standstillOf({ ...nothing, isDue: false, dialers: 'none' })).toEqual([]);
});

test.each([
  [{ fileTurn: [0, false] }, 'Its file waits to be read.'],
  [{ fileTurn: [0, true] }, 'Its file is being read.'],
  [{ fileTurn: [1, false] }, 'Its file is read after an older one of the account.'],
  [{ fileTurn: [1_200, false] }, 'Its file is read after 1,200 older ones of the account.'],
  [{ dialers: 'none' }, 'No dialer runs, so nobody is called.'],
  [{ dialers: 'troubled' }, 'A dialer is running but cannot do its work: its log and its `/healthz` say why.'],
  [{ missing: 'worker' }, expect.stringMatching(/^No worker runs: .* files, starts, retries and ends/)],
  [{ missing: 'temporal' }, expect.stringMatching(/^Temporal does not answer: .* files, starts, retries and ends/)],
  [{ strandedOn: '1.0.0' }, expect.stringContaining('a worker of version 1.0.0')],
  [
    { unsent: { since: '2026-03-02T14:30:00Z', reason: 'no_sip_server' } },
    'No call has left through the gateway since 14:30 UTC: the telephony server has no SIP server that takes them. ' +
      'Outdial keeps trying.',
  ],
] as const)('%j', (facts, words) => {
  expect(standstillOf({ ...nothing, ...facts })).toEqual([words]);
});

test('all that is missing is said, to a batch and to whoever runs the service', () => {
  const all = { fileTurn: [0, false], dialers: 'none', missing: 'worker' } as const;
  expect(standstillOf({ ...nothing, ...all })).toHaveLength(3);
  expect(missingOf('none', 'temporal')).toHaveLength(2);
  expect(missingOf('working', null)).toEqual([]);
});
