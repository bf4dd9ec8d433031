import { describe, expect, test } from 'vitest';
import { startOf, type Schedule } from '../../../domain/batch/schedule.js';

const now = new Date('2026-11-21T14:28:30.500Z');
const paris = 'Europe/Paris';

const startsAt = (schedule: Schedule, at = now) => {
  const read = startOf(schedule, at);
  return 'start' in read ? read.start.startsAt.toISOString() : undefined;
};
const problems = (schedule: Schedule, at = now) => {
  const read = startOf(schedule, at);
  return 'problems' in read ? read.problems.map(({ path, message }) => `${path}: ${message}`) : [];
};

describe('the instant', () => {
  test('is that of the zone', () => {
    expect(startsAt({ date: '2026-12-01', time: '09:30', timezone: paris })).toBe('2026-12-01T08:30:00.000Z');
    expect(startsAt({ date: '2027-07-01', time: '09:30', timezone: paris })).toBe('2027-07-01T07:30:00.000Z');
  });

  // shows: batch.create.schedule
  test('without a zone is that of Asia/Calcutta', () => {
    expect(startOf({ date: '2026-12-01', time: '09:30' }, now)).toEqual({
      start: { startsAt: new Date('2026-12-01T04:00:00.000Z'), timezone: 'Asia/Calcutta' },
    });
  });

  test.each(['Asia/Kolkata', 'asia/kolkata', 'Asia/Calcutta'])('%s is a zone', (timezone) => {
    expect(startsAt({ date: '2026-12-01', time: '09:30', timezone })).toBe('2026-12-01T04:00:00.000Z');
  });

  // shows: schedule.twice
  test('of a time that comes twice is the first', () => {
    expect(startsAt({ date: '2027-10-31', time: '02:30', timezone: paris })).toBe('2027-10-31T00:30:00.000Z');
  });

  test('of 29 February exists in leap years only', () => {
    expect(startsAt({ date: '2028-02-29', time: '09:00', timezone: 'UTC' }, new Date('2028-01-01Z'))).toBe(
      '2028-02-29T09:00:00.000Z',
    );
    expect(problems({ date: '2027-02-29', time: '09:00', timezone: 'UTC' })).toEqual([
      'schedule.date: must be a day that the calendar has',
    ]);
  });
});

describe('a time that the clocks skip is refused', () => {
  test.each([
    ['the first minute', '02:00'],
    ['the last minute', '02:59'],
  ])('%s', (_which, time) => {
    expect(problems({ date: '2027-03-28', time, timezone: paris })).toEqual([
      expect.stringMatching(/^schedule\.time: does not exist on 2027-03-28 in Europe\/Paris/),
    ]);
  });

  test('but not the minute before or after', () => {
    expect(startsAt({ date: '2027-03-28', time: '01:59', timezone: paris })).toBe('2027-03-28T00:59:00.000Z');
    expect(startsAt({ date: '2027-03-28', time: '03:00', timezone: paris })).toBe('2027-03-28T01:00:00.000Z');
  });

  test('nor a day that a country leaves out', () => {
    expect(
      problems({ date: '2011-12-30', time: '12:00', timezone: 'Pacific/Apia' }, new Date('2011-12-01T00:00:00Z')),
    ).toEqual([expect.stringMatching(/^schedule\.time: does not exist/)]);
  });
});

describe('the past', () => {
  // shows: schedule.minute
  test('begins with the minute before this one', () => {
    expect(startsAt({ date: '2026-11-21', time: '14:28', timezone: 'UTC' })).toBe('2026-11-21T14:28:00.000Z');
    expect(problems({ date: '2026-11-21', time: '14:27', timezone: 'UTC' })).toEqual([
      'schedule.time: is in the past: it is 2026-11-21 14:28 in UTC',
    ]);
  });

  test('holds the last millisecond of the minute', () => {
    const end = new Date('2026-11-21T14:28:59.999Z');
    expect(startsAt({ date: '2026-11-21', time: '14:28', timezone: 'UTC' }, end)).toBe('2026-11-21T14:28:00.000Z');
    const next = new Date('2026-11-21T14:29:00.000Z');
    expect(startsAt({ date: '2026-11-21', time: '14:28', timezone: 'UTC' }, next)).toBeUndefined();
  });

  test('is laid to the date if the date is the mistake', () => {
    expect(problems({ date: '2025-11-21', time: '20:00', timezone: 'UTC' })).toEqual([
      expect.stringMatching(/^schedule\.date: is in the past/),
    ]);
  });

  test('is judged in the zone of the schedule', () => {
    // 19:58 in India now.
    expect(startsAt({ date: '2026-11-21', time: '19:58' })).toBe('2026-11-21T14:28:00.000Z');
    expect(startsAt({ date: '2026-11-21', time: '19:57' })).toBeUndefined();
  });
});

// shows: schedule.year
test('a start may be a year ahead to the minute, and no further', () => {
  expect(startsAt({ date: '2027-11-21', time: '14:28', timezone: 'UTC' })).toBe('2027-11-21T14:28:00.000Z');
  expect(problems({ date: '2027-11-21', time: '14:29', timezone: 'UTC' })).toEqual([
    'schedule.date: must be at most 1 year ahead',
  ]);
});

// shows: schedule.offsets
test.each(['+05:30', '-03', 'UTC+2', 'Z', 'GMT-5', '+0530'])('the offset %s is no time zone', (timezone) => {
  expect(problems({ date: '2026-12-01', time: '09:30', timezone })).toEqual([
    expect.stringMatching(/^schedule\.timezone: .*offset/),
  ]);
});

test.each(['', 'Mars/Olympus', ' Europe/Paris', 'Europe/Paris ', '2026-01-01T00:00+01:00[Europe/Paris]', 'IST'])(
  'the name %j is no time zone',
  (timezone) => {
    expect(problems({ date: '2026-12-01', time: '09:30', timezone })).toEqual([
      expect.stringMatching(/^schedule\.timezone: must be an IANA time zone name/),
    ]);
  },
);

test.each(['1/12/2026', '2026-1-2', '2026-12-01T00:00', '20261201', '', '2026-13-01', '2026-00-10', '2026-04-31'])(
  'the date %j is refused',
  (date) => {
    expect(problems({ date, time: '09:30' })).toEqual([expect.stringMatching(/^schedule\.date: must be/)]);
  },
);

test.each(['9:30', '24:00', '09:60', '09:30:00', '9.30', '9:30 pm', ''])('the time %j is refused', (time) => {
  expect(problems({ date: '2026-12-01', time })).toEqual([expect.stringMatching(/^schedule\.time: bad time format/)]);
});

test('every problem is named at once', () => {
  expect(problems({ date: 'tomorrow', time: 'noon', timezone: '+01:00' })).toHaveLength(3);
});
