import { expect, test, vi } from 'vitest';
import { instantOf, instantOrDay, pastInstantOf, scheduledAt, sinceOf } from '../../../cli/moments.js';

const refusal = (message: string): unknown =>
  expect.objectContaining({ exitCode: 2, message: expect.stringContaining(message) });

test.each([
  ['2027-01-31T09:30:00Z', '2027-01-31T09:30:00.000Z'],
  ['2027-01-31T09:30Z', '2027-01-31T09:30:00.000Z'],
  ['2027-01-31 09:30:15.5+05:30', '2027-01-31T04:00:15.500Z'],
  ['2027-01-31T09:30-0500', '2027-01-31T14:30:00.000Z'],
  ['2027-01-31 9:30 America/New_York', '2027-01-31T14:30:00.000Z'],
  [' 2027-07-31T09:30 Europe/Paris ', '2027-07-31T07:30:00.000Z'],
  // Clocks show it twice: the first of the two.
  ['2027-10-31 02:30 Europe/Paris', '2027-10-31T00:30:00.000Z'],
])('every option that takes a time takes %s', (text, instant) => {
  expect(instantOf(text, '--until').toISOString()).toBe(instant);
  expect(instantOrDay(text, '--from')).toBe(instant);
  expect(sinceOf(text, '--since').toISOString()).toBe(instant);
});

test('a time without offset and zone is one of the clock of this machine', () => {
  const here = new Date('2027-01-31T09:30:00').toISOString();
  for (const text of ['2027-01-31 09:30', '2027-01-31T09:30', '2027-01-31 09:30:00']) {
    expect(instantOf(text, '--until').toISOString()).toBe(here);
  }
});

test.each(['', 'tomorrow', '2027-01-31', '09:30', '2027-01-31 0930', '1769850000', '31.01.2027 09:30'])(
  'what names no instant is refused with the option and examples: %j',
  (text) => {
    expect(() => instantOf(text, '--until')).toThrow(refusal('--until: a date and time such as "2027-01-31 09:30"'));
    expect(() => scheduledAt(text, '--schedule')).toThrow(refusal('--schedule: a date and time such as'));
  },
);

test.each([
  ['2027-02-31 18:00', 'is no date and time'],
  ['2027-13-01T18:00Z', 'is no date and time'],
  ['2027-01-31 25:30', 'is no date and time'],
  ['2027-01-31 09:30+25:00', 'is no date and time'],
  ['2027-01-31 09:30 Mars/Olympus', 'must be an IANA time zone name'],
  ['2027-03-14 02:30 America/New_York', 'clocks go forward past it'],
])('a time that there is not is refused, not taken for another one: %s', (text, message) => {
  for (const read of [instantOf, instantOrDay, scheduledAt, sinceOf])
    expect(() => read(text, '--at')).toThrow(refusal(message));
});

test('a schedule keeps its zone; that of an instant with an offset is UTC, and seconds are refused', () => {
  expect(scheduledAt('2027-01-31 9:30 America/New_York', '--schedule')).toEqual({
    ...{ date: '2027-01-31', time: '09:30', timezone: 'America/New_York' },
  });
  expect(scheduledAt('2027-01-31T20:00:00-05:00', '--schedule')).toEqual({
    ...{ date: '2027-02-01', time: '01:00', timezone: 'UTC' },
  });
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(scheduledAt('2027-01-31T09:30', '--schedule')).toEqual({ date: '2027-01-31', time: '09:30', timezone });
  expect(() => scheduledAt('2027-01-31T09:30:15Z', '--schedule')).toThrow(refusal('whole minutes'));
});

test('filters take days as well, and what begins in the past takes how far back', () => {
  expect(instantOrDay('2027-01-31', '--from')).toBe('2027-01-31');
  expect(() => instantOrDay('2027-02-31', '--from')).toThrow(refusal('is no date and time'));
  expect(() => instantOrDay('soon', '--from')).toThrow(refusal('--from: a day such as 2027-01-31'));
  vi.useFakeTimers({ now: new Date('2027-02-01T12:00:00Z') });
  expect(sinceOf('90m', '--since').toISOString()).toBe('2027-02-01T10:30:00.000Z');
  expect(sinceOf('7d', '--since').toISOString()).toBe('2027-01-25T12:00:00.000Z');
  expect(sinceOf('2027-01-31', '--since').toISOString()).toBe('2027-01-31T00:00:00.000Z');
  expect(() => sinceOf('2x', '--since')).toThrow(refusal('how far back, such as 30m'));
  expect(pastInstantOf('2027-02-01T12:00Z', '--stopped-at').getTime()).toBe(Date.now());
  expect(() => pastInstantOf('2027-02-01T12:01Z', '--stopped-at')).toThrow(refusal('lies in the future'));
  vi.useRealTimers();
});
