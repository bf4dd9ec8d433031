import { expect, test } from 'vitest';
import { nextRunsOf } from '../../../console/campaign/runs.js';

const runs = (cron: string, zone: string, from: string, count = 3) =>
  nextRunsOf(cron, zone, new Date(from), count).map((run) => run.toISOString());

test('runs are at the times of the clocks of the zone, whichever zone the browser has', () => {
  expect(runs('0 9 * * 1-5', 'America/New_York', '2026-03-06T14:00:00Z')).toEqual([
    '2026-03-09T13:00:00.000Z',
    '2026-03-10T13:00:00.000Z',
    '2026-03-11T13:00:00.000Z',
  ]);
  expect(runs('30 5 * * *', 'Asia/Kathmandu', '2026-03-06T00:00:00Z', 1)).toEqual(['2026-03-06T23:45:00.000Z']);
});

test('a time that the clocks skip does not come on that day', () => {
  expect(runs('30 2 * * *', 'America/New_York', '2026-03-07T05:00:00Z', 2)).toEqual([
    '2026-03-07T07:30:00.000Z',
    '2026-03-09T06:30:00.000Z',
  ]);
});

test('a time that the clocks show twice comes as Temporal has it: twice west of Greenwich, at the second one east of it', () => {
  expect(runs('30 1 * * *', 'America/New_York', '2026-11-01T04:00:00Z')).toEqual([
    '2026-11-01T05:30:00.000Z',
    '2026-11-01T06:30:00.000Z',
    '2026-11-02T06:30:00.000Z',
  ]);
  // On Lord Howe 01:45 is shown at 14:45 and 15:15 of UTC.
  expect(runs('45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T12:00:00Z', 2)).toEqual([
    '2026-04-04T15:15:00.000Z',
    '2026-04-05T15:15:00.000Z',
  ]);
});

test('the next ones come first while the clocks are set back', () => {
  // 01:50 for the first time: 01:55 comes before 01:00 comes again.
  expect(runs('*/5 * * * *', 'America/New_York', '2026-11-01T05:50:00Z')).toEqual([
    '2026-11-01T05:55:00.000Z',
    '2026-11-01T06:00:00.000Z',
    '2026-11-01T06:05:00.000Z',
  ]);
});

test('a day of the month and a day of the week must both hold, as for the service', () => {
  expect(runs('0 9 1 * 1', 'UTC', '2026-01-01T00:00:00Z', 2)).toEqual([
    '2026-06-01T09:00:00.000Z',
    '2027-02-01T09:00:00.000Z',
  ]);
});
