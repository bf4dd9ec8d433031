import { afterEach, expect, test } from 'vitest';
import { dayOfCallee } from '../../../domain/account/guardrails.js';
import { nextOpening, type WeeklyWindow } from '../../../domain/call/calling-window.js';
import { disputedZones, learnClocks, type ZoneChanges } from '../../../domain/call/time-zone.js';

const hourMs = 3_600_000;
const first = Date.parse('2027-01-01T00:00:00Z');
const last = Date.parse('2028-01-01T00:00:00Z');
/** PostgreSQL has the clocks of Arizona an hour ahead from February on. */
const phoenix: ZoneChanges = [
  [first, -7 * hourMs],
  [Date.parse('2027-02-01T07:00:00Z'), -6 * hourMs],
];
const learn = (zones: Readonly<Record<string, ZoneChanges>>) => learnClocks(new Map(Object.entries(zones)), last);
afterEach(() => learnClocks(new Map(), -Infinity));

const office: WeeklyWindow = {
  ...{ from: '09:00', until: '20:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7], timezone: 'recipient' },
};
const spanOf = (window: Parameters<typeof nextOpening>[0], zones: readonly string[], from: string) => {
  const opening = nextOpening(window, zones, new Date(from));
  return [opening?.opensAt.toISOString().slice(0, 16), opening?.closesAt.toISOString().slice(0, 16)];
};

test('where PostgreSQL has the clock of a zone otherwise than this machine, a window is open while it is by both', () => {
  const before = spanOf(office, ['America/Phoenix'], '2027-03-01T12:00:00Z');
  expect(before).toEqual(['2027-03-01T16:00', '2027-03-02T03:00']);
  learn({ 'America/Phoenix': phoenix });
  expect(spanOf(office, ['America/Phoenix'], '2027-03-01T12:00:00Z')).toEqual(['2027-03-01T16:00', '2027-03-02T02:00']);
  expect(spanOf(office, ['America/Phoenix'], '2027-01-15T12:00:00Z')).toEqual(['2027-01-15T16:00', '2027-01-16T03:00']);
  expect(spanOf(office, ['America/Phoenix', 'UTC'], '2027-03-01T12:00:00Z')[1]).toBe('2027-03-01T20:00');
});

test('a window of a list with a zone of its own is open while it is by both clocks of that zone', () => {
  learn({ 'America/Phoenix': phoenix });
  const window = { ...office, timezone: 'America/Phoenix' };
  const list = { timezone: 'America/Phoenix', windows: [window, { ...window, from: '22:00', until: '23:00' }] };
  expect(spanOf(list, ['America/Phoenix'], '2027-03-01T12:00:00Z')).toEqual(['2027-03-01T16:00', '2027-03-02T02:00']);
  // 22:00 by one clock is 23:00 by the other: never both.
  expect(spanOf(list, ['America/Phoenix'], '2027-03-02T02:00:00Z')).toEqual(['2027-03-02T16:00', '2027-03-03T02:00']);
});

test('the day of a callee has no attempts more than one of either clock', () => {
  learn({ 'America/Phoenix': phoenix });
  const { since, until } = dayOfCallee(['America/Phoenix'], new Date('2027-03-01T18:00:00Z'));
  expect([since.toISOString(), until.toISOString()]).toEqual(['2027-03-01T06:00:00.000Z', '2027-03-02T06:00:00.000Z']);
});

test('clocks that run alike are no dispute, nor are those beyond what was learnt', () => {
  const changes: ZoneChanges = [
    [first, hourMs],
    [Date.parse('2027-03-28T01:00:00Z'), 2 * hourMs],
    [Date.parse('2027-10-31T01:00:00Z'), hourMs],
  ];
  learn({ 'Europe/Berlin': changes, 'America/Phoenix': [[first, -7 * hourMs]] });
  expect(disputedZones()).toEqual([]);
  const missed = changes.slice(0, 2);
  learn({ 'Europe/Berlin': missed, 'America/Phoenix': phoenix });
  expect(disputedZones()).toEqual(['America/Phoenix', 'Europe/Berlin']);
  const after = spanOf(office, ['America/Phoenix'], '2028-02-01T12:00:00Z');
  expect(after).toEqual(['2028-02-01T16:00', '2028-02-02T03:00']);
});
