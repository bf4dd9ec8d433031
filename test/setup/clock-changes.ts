/** Runs are the first ones after `from`. */
export type ClockChange = readonly [zone: string, cron: string, from: string, runs: readonly string[]];

/**
 * Days on which clocks are changed in 2027, and the days around them: what Temporal's schedule of that cron and zone does. Some of it is
 * odd; what matters is that the console shows it.
 */
export const clockChanges: readonly ClockChange[] = [
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
  ['Europe/Berlin', '30 2 * * *', '2027-10-30T12:00Z', ['2027-10-31T01:30Z', '2027-11-01T01:30Z']],
  // East of Greenwich the time that comes twice is the second one, and the hour before it may be had again an hour later.
  ['Europe/Berlin', '30 1 * * *', '2027-10-30T12:00Z', ['2027-10-30T23:30Z', '2027-10-31T00:30Z', '2027-11-01T00:30Z']],
  ['Europe/Berlin', '30 2 * * 0', '2027-03-21T12:00Z', ['2027-04-04T00:30Z', '2027-04-11T00:30Z']],
  // 30 April, 00:00 becomes 01:00; 29 October, 24:00 becomes 23:00 of the same day.
  ['Africa/Cairo', '30 0 * * *', '2027-04-28T12:00Z', ['2027-04-28T22:30Z', '2027-04-30T21:30Z']],
  ['Africa/Cairo', '30 23 * * *', '2027-10-28T12:00Z', ['2027-10-28T21:30Z', '2027-10-29T21:30Z']],
  // Half an hour: 4 April, 02:00 becomes 01:30; 3 October, 02:00 becomes 02:30.
  ['Australia/Lord_Howe', '45 1 * * *', '2027-04-03T12:00Z', ['2027-04-03T15:15Z', '2027-04-04T15:15Z']],
  [
    'Australia/Lord_Howe',
    '15 2 * * *',
    '2027-10-02T12:00Z',
    ['2027-10-02T15:45Z', '2027-10-03T15:15Z', '2027-10-04T15:15Z'],
  ],
  ['Australia/Lord_Howe', '30 2 * * *', '2027-10-02T12:00Z', ['2027-10-02T15:30Z', '2027-10-03T15:30Z']],
  // Months without a 31st have no run; the 31st of October is the day of the change in Berlin.
  [
    'Europe/Berlin',
    '30 2 31 * *',
    '2027-08-01T00:00Z',
    ['2027-08-31T00:30Z', '2027-10-31T01:30Z', '2027-12-31T01:30Z'],
  ],
  [
    'America/New_York',
    '0 9 31 * *',
    '2027-01-31T14:00Z',
    ['2027-03-31T13:00Z', '2027-05-31T13:00Z', '2027-07-31T13:00Z'],
  ],
  // Every half hour.
  [
    'Australia/Lord_Howe',
    '*/30 1-2 4 4 *',
    '2027-04-01T00:00Z',
    ['2027-04-03T14:00Z', '2027-04-03T15:00Z', '2027-04-03T15:30Z', '2027-04-03T16:00Z'],
  ],
  [
    'Europe/Berlin',
    '*/30 1-3 28 3 *',
    '2027-03-01T00:00Z',
    ['2027-03-28T00:00Z', '2027-03-28T00:30Z', '2027-03-28T01:00Z', '2027-03-28T01:30Z'],
  ],
  // Both a day of the month and one of the week: both must fit, also on the day of the change.
  [
    'Europe/Berlin',
    '30 2 31 * 0',
    '2027-01-01T00:00Z',
    ['2027-01-31T01:30Z', '2027-10-31T01:30Z', '2028-12-31T01:30Z'],
  ],
  // 5 September, a Sunday whose first hour is skipped: Temporal takes it for a Saturday.
  ['America/Santiago', '0 9 * * 0', '2027-09-01T00:00Z', ['2027-09-12T12:00Z', '2027-09-19T12:00Z']],
  [
    'America/Santiago',
    '0 9 * * 6',
    '2027-09-01T00:00Z',
    ['2027-09-04T13:00Z', '2027-09-05T12:00Z', '2027-09-11T12:00Z'],
  ],
];

/** An instant of the table as programs write it. */
export const instantOf = (text: string): string => new Date(text).toISOString();
