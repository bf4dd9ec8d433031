import { expect, test } from 'vitest';
import { nextRunsOf } from '../../../console/campaign/runs.js';

type Row = readonly [zone: string, cron: string, from: string, runs: readonly string[]];

/** Days on which clocks are changed in 2027, and the days around them. */
const table: readonly Row[] = [
  // 14 March, 02:00 becomes 03:00: 02:30 is skipped, 03:00 comes once.
  ['America/New_York', '30 2 * * *', '2027-03-13T12:00Z', ['2027-03-15T06:30Z', '2027-03-16T06:30Z']],
  ['America/New_York', '0 3 * * *', '2027-03-13T12:00Z', ['2027-03-14T07:00Z', '2027-03-15T07:00Z']],
  ['America/New_York', '0 9 * * *', '2027-03-13T12:00Z', ['2027-03-13T14:00Z', '2027-03-14T13:00Z']],
  // 7 November, 02:00 becomes 01:00.
  [
    'America/New_York',
    '30 1 * * *',
    '2027-11-07T00:00Z',
    ['2027-11-07T05:30Z', '2027-11-07T06:30Z', '2027-11-08T06:30Z'],
  ],
  ['America/New_York', '0 2 * * *', '2027-11-07T00:00Z', ['2027-11-07T07:00Z', '2027-11-08T07:00Z']],
  // 28 March and 31 October, 01:00 UTC.
  ['Europe/Berlin', '30 2 * * *', '2027-03-27T00:00Z', ['2027-03-27T01:30Z', '2027-03-29T00:30Z']],
  ['Europe/Berlin', '30 2 * * *', '2027-10-30T12:00Z', ['2027-10-31T00:30Z', '2027-10-31T01:30Z', '2027-11-01T01:30Z']],
  ['Europe/Berlin', '30 2 * * 0', '2027-03-21T12:00Z', ['2027-04-04T00:30Z', '2027-04-11T00:30Z']],
  // 30 April, 00:00 becomes 01:00; 29 October, 24:00 becomes 23:00 of the same day.
  ['Africa/Cairo', '30 0 * * *', '2027-04-28T12:00Z', ['2027-04-28T22:30Z', '2027-04-30T21:30Z']],
  ['Africa/Cairo', '30 23 * * *', '2027-10-28T12:00Z', ['2027-10-28T20:30Z', '2027-10-28T21:30Z', '2027-10-29T21:30Z']],
  // Half an hour: 4 April, 02:00 becomes 01:30; 3 October, 02:00 becomes 02:30.
  [
    'Australia/Lord_Howe',
    '45 1 * * *',
    '2027-04-03T12:00Z',
    ['2027-04-03T14:45Z', '2027-04-03T15:15Z', '2027-04-04T15:15Z'],
  ],
  ['Australia/Lord_Howe', '15 2 * * *', '2027-10-02T12:00Z', ['2027-10-03T15:15Z', '2027-10-04T15:15Z']],
  ['Australia/Lord_Howe', '30 2 * * *', '2027-10-02T12:00Z', ['2027-10-02T15:30Z', '2027-10-03T15:30Z']],
  // Months without a 31st have no run; the 31st of October is the day of the change in Berlin.
  [
    'Europe/Berlin',
    '30 2 31 * *',
    '2027-08-01T00:00Z',
    ['2027-08-31T00:30Z', '2027-10-31T00:30Z', '2027-10-31T01:30Z', '2027-12-31T01:30Z'],
  ],
  [
    'America/New_York',
    '0 9 31 * *',
    '2027-01-31T14:00Z',
    ['2027-03-31T13:00Z', '2027-05-31T13:00Z', '2027-07-31T13:00Z'],
  ],
];

const instant = (text: string): string => new Date(text).toISOString();

test.each(table)('in %s “%s” has exactly these runs after %s', (zone, cron, from, runs) => {
  expect(nextRunsOf(cron, zone, new Date(from), runs.length).map((run) => run.toISOString())).toEqual(
    runs.map(instant),
  );
});

test.each(table)(
  'in %s “%s” after %s: the next run of each run is the one behind it, none twice and none left out',
  (zone, cron, from, runs) => {
    const found: string[] = [];
    let after = new Date(from);
    while (found.length < runs.length) {
      const [next] = nextRunsOf(cron, zone, after, 1);
      if (next === undefined) break;
      found.push(next.toISOString());
      after = next;
    }
    expect(found).toEqual(runs.map(instant));
  },
);
