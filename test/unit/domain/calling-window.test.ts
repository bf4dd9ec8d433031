import { describe, expect, test } from 'vitest';
import { nextOpening, zonesOfWindow, type WeeklyWindow } from '../../../domain/call/calling-window.js';
import { windowBody } from '../../../domain/call/calling-window-answer.js';
import { readCallingWindow } from '../../../domain/call/calling-window-input.js';

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const weekdays = [1, 2, 3, 4, 5];
const window = (from: string, until: string, daysOfWeek = everyDay): WeeklyWindow => ({
  from,
  until,
  daysOfWeek,
  timezone: 'recipient',
});

const opening = (hours: WeeklyWindow, zones: string[], from: string) => {
  const found = nextOpening(hours, zones, new Date(from));
  return found && [found.opensAt.toISOString().slice(0, 19), found.closesAt.toISOString().slice(0, 19)];
};

describe('nextOpening', () => {
  // shows: window.hours
  test('inside the window it is open at once, to the millisecond', () => {
    expect(nextOpening(window('09:00', '20:00'), ['UTC'], new Date('2026-11-21T09:00:00.001Z'))).toEqual({
      opensAt: new Date('2026-11-21T09:00:00.001Z'),
      closesAt: new Date('2026-11-21T20:00:00.000Z'),
    });
  });

  test('the first minute belongs to the window and the last does not', () => {
    const hours = window('09:00', '20:00');
    expect(opening(hours, ['UTC'], '2026-11-21T08:59:59.999Z')?.[0]).toBe('2026-11-21T09:00:00');
    expect(opening(hours, ['UTC'], '2026-11-21T09:00:00Z')?.[0]).toBe('2026-11-21T09:00:00');
    expect(opening(hours, ['UTC'], '2026-11-21T19:59:59Z')?.[0]).toBe('2026-11-21T19:59:59');
    expect(opening(hours, ['UTC'], '2026-11-21T20:00:00Z')?.[0]).toBe('2026-11-22T09:00:00');
  });

  test('days of the week are those of the zone', () => {
    // Friday evening in Auckland is Friday morning in UTC.
    expect(opening(window('09:00', '17:00', weekdays), ['Pacific/Auckland'], '2026-11-20T04:00:00Z')).toEqual([
      '2026-11-22T20:00:00',
      '2026-11-23T04:00:00',
    ]);
  });

  // shows: window.several-zones
  test('with several zones it is open only if all are', () => {
    expect(
      opening(window('09:00', '20:00'), ['America/New_York', 'America/Los_Angeles'], '2026-11-21T00:30:00Z'),
    ).toEqual(['2026-11-21T00:30:00', '2026-11-21T01:00:00']);
    expect(
      opening(window('09:00', '20:00'), ['America/New_York', 'America/Los_Angeles'], '2026-11-21T01:00:00Z'),
    ).toEqual(['2026-11-21T17:00:00', '2026-11-22T01:00:00']);
  });

  test('zones whose hours never meet have no opening', () => {
    const now = '2026-11-21T10:00:00Z';
    expect(opening(window('09:00', '11:00'), ['America/New_York', 'America/Los_Angeles'], now)).toBeNull();
    // 24 hours apart there is no common Monday left; 20 hours apart there is one of 4 hours.
    expect(opening(window('00:00', '24:00', [1]), ['Pacific/Kiritimati', 'Pacific/Honolulu'], now)).toBeNull();
    expect(opening(window('00:00', '24:00', [1]), ['Asia/Tokyo', 'Pacific/Niue'], now)).toEqual([
      '2026-11-23T11:00:00',
      '2026-11-23T15:00:00',
    ]);
  });

  test('a window past midnight belongs to the day on which it opens', () => {
    const fridayNight = window('22:00', '02:00', [5]);
    expect(opening(fridayNight, ['UTC'], '2026-11-21T01:59:00Z')).toEqual([
      '2026-11-21T01:59:00',
      '2026-11-21T02:00:00',
    ]);
    expect(opening(fridayNight, ['UTC'], '2026-11-20T01:59:00Z')).toEqual([
      '2026-11-20T22:00:00',
      '2026-11-21T02:00:00',
    ]);
  });

  // shows: window.list
  test('the hours after midnight of a window that an excepted date closes stay closed, those of the night before open', () => {
    const night = window('22:00', '02:00');
    const list = { timezone: 'recipient', window: { ...night, except: ['2026-12-24'] } };
    const from = (at: string) => nextOpening(list, ['UTC'], new Date(at))?.opensAt.toISOString().slice(0, 16);
    expect(from('2026-12-24T01:00:00Z')).toBe('2026-12-24T01:00');
    expect(from('2026-12-24T02:00:00Z')).toBe('2026-12-25T22:00');
  });

  test('windows of a list that overlap or touch are one stretch, and others are apart', () => {
    const timezone = 'recipient';
    const morning = window('09:00', '12:00');
    const at = new Date('2026-11-23T08:00:00Z');
    const span = (...windows: ReturnType<typeof window>[]) => {
      const found = nextOpening({ timezone, windows }, ['UTC'], at);
      return [found?.opensAt.toISOString().slice(11, 16), found?.closesAt.toISOString().slice(11, 16)];
    };
    expect(span(window('14:00', '18:00'), morning)).toEqual(['09:00', '12:00']);
    expect(span(window('12:00', '13:00'), morning)).toEqual(['09:00', '13:00']);
    expect(span(window('11:00', '18:00'), morning)).toEqual(['09:00', '18:00']);
  });

  test('windows that touch at midnight are one', () => {
    expect(opening(window('00:00', '24:00', [6, 7]), ['UTC'], '2026-11-18T00:00:00Z')).toEqual([
      '2026-11-21T00:00:00',
      '2026-11-23T00:00:00',
    ]);
  });

  test('a window that is always open is open now, and for a month at least', () => {
    const found = nextOpening(window('00:00', '24:00'), ['Europe/Paris'], new Date('2026-11-21T10:00:00Z'));
    expect(found?.opensAt.toISOString()).toBe('2026-11-21T10:00:00.000Z');
    expect(found?.closesAt.getTime()).toBeGreaterThan(Date.parse('2026-12-21T10:00:00Z'));
  });

  test('if the clocks skip the opening minute, it opens when they have', () => {
    // 2026-03-29 in Paris: 02:00 becomes 03:00 at 01:00Z.
    expect(opening(window('02:30', '04:00'), ['Europe/Paris'], '2026-03-29T00:00:00Z')).toEqual([
      '2026-03-29T01:00:00',
      '2026-03-29T02:00:00',
    ]);
  });

  test('if the clocks skip the closing minute, it closes when they do', () => {
    expect(opening(window('01:00', '02:30'), ['Europe/Paris'], '2026-03-28T23:00:00Z')).toEqual([
      '2026-03-29T00:00:00',
      '2026-03-29T01:00:00',
    ]);
  });

  test('a window that lies in the skipped hour stays shut that day', () => {
    expect(opening(window('02:10', '02:50', [7]), ['Europe/Paris'], '2026-03-28T12:00:00Z')?.[0]).toBe(
      '2026-04-05T00:10:00',
    );
  });

  test('an hour that comes twice opens the window twice', () => {
    // 2026-10-25 in Paris: 03:00 becomes 02:00 at 01:00Z.
    const hours = window('02:10', '02:50');
    expect(opening(hours, ['Europe/Paris'], '2026-10-25T00:00:00Z')).toEqual([
      '2026-10-25T00:10:00',
      '2026-10-25T00:50:00',
    ]);
    expect(opening(hours, ['Europe/Paris'], '2026-10-25T00:50:00Z')).toEqual([
      '2026-10-25T01:10:00',
      '2026-10-25T01:50:00',
    ]);
  });

  test('no zones, or one that does not exist, is a mistake of the caller', () => {
    expect(() => nextOpening(window('09:00', '20:00'), [], new Date(0))).toThrow(RangeError);
    expect(() => nextOpening(window('09:00', '20:00'), ['Mars/Olympus'], new Date(0))).toThrow(RangeError);
  });
});

describe('zonesOfWindow', () => {
  test("a window of one zone looks at no one else's clock", () => {
    const fixed = { ...window('09:00', '20:00'), timezone: 'Europe/Paris' };
    expect(zonesOfWindow(fixed, ['Asia/Tokyo'], 'Asia/Calcutta')).toEqual(['Europe/Paris']);
  });

  // shows: window.recipient
  test("the recipient's zones come before the batch's", () => {
    expect(zonesOfWindow(window('09:00', '20:00'), ['Asia/Tokyo'], 'Asia/Calcutta')).toEqual(['Asia/Tokyo']);
    expect(zonesOfWindow(window('09:00', '20:00'), [], 'Asia/Calcutta')).toEqual(['Asia/Calcutta']);
    expect(zonesOfWindow(window('09:00', '20:00'), null, 'Asia/Calcutta')).toEqual(['Asia/Calcutta']);
  });
});

describe('readCallingWindow', () => {
  const problemsOf = (input: unknown) => {
    const read = readCallingWindow(input);
    return 'problems' in read ? read.problems.map(({ path, message }) => `${path}: ${message}`) : [];
  };

  test('days and zone may be left out: every day, by the clock of each callee', () => {
    expect(readCallingWindow({ from: '09:00', until: '20:00' })).toEqual({
      callingWindow: { from: '09:00', until: '20:00', daysOfWeek: everyDay, timezone: 'recipient' },
    });
    expect(readCallingWindow({ from: '09:00', until: '20:00', daysOfWeek: null, timezone: null })).toHaveProperty(
      'callingWindow',
    );
  });

  test('days come back in order and the zone by its proper name', () => {
    expect(readCallingWindow({ from: '00:00', until: '24:00', daysOfWeek: [7, 1], timezone: 'europe/paris' })).toEqual({
      callingWindow: { from: '00:00', until: '24:00', daysOfWeek: [1, 7], timezone: 'Europe/Paris' },
    });
  });

  test('every problem is named at once', () => {
    expect(problemsOf({ from: '9:00', until: '25:00', daysOfWeek: [0, 1, 1], timezone: '+05:30', untill: 1 })).toEqual([
      expect.stringMatching(/^callingWindow\.from: must be HH:MM/),
      expect.stringMatching(/^callingWindow\.until: must be HH:MM/),
      expect.stringMatching(/^callingWindow\.daysOfWeek\[0\]: /),
      expect.stringMatching(/^callingWindow\.daysOfWeek: must not name a day twice/),
      expect.stringMatching(/^callingWindow\.timezone: .*offset/),
      'callingWindow.untill: is an unrecognized key',
    ]);
  });

  // shows: window.list
  test('a list and excepted dates are stored apart from a single window, and answered as they were sent', () => {
    const morning = { from: '09:00', until: '12:00', daysOfWeek: [1, 2], timezone: 'UTC' };
    const dated = { ...morning, except: ['2027-01-01', '2027-12-25'] };
    const stored = (input: unknown) => {
      const read = readCallingWindow(input);
      return 'callingWindow' in read ? read.callingWindow : expect.fail();
    };
    expect(stored(dated)).toEqual({ timezone: 'UTC', window: dated });
    expect(stored([morning])).toEqual({ timezone: 'UTC', windows: [morning] });
    expect(stored([morning, { ...dated, timezone: 'recipient' }])).toMatchObject({ timezone: 'recipient' });
    expect(stored({ ...morning, except: [] })).toEqual(morning);
    for (const sent of [morning, dated, [morning], [morning, dated]]) expect(windowBody(stored(sent))).toEqual(sent);
    expect(windowBody(stored({ ...dated, except: ['2027-12-25', '2027-01-01'] }))).toEqual(dated);
  });

  test('each mistake in a list and in its dates is named with its place', () => {
    const morning = { from: '09:00', until: '12:00' };
    const except = ['2027-02-29', '2027-12-25', '2027-13-01', '2027-12-25', '25.12.2027'];
    expect(problemsOf([{ from: '9', until: '12:00' }, { ...morning, except, x: 1 }, 7])).toEqual([
      expect.stringMatching(/^callingWindow\[0\]\.from: must be HH:MM/),
      'callingWindow[1].except[0]: must be a date such as 2027-12-25',
      'callingWindow[1].except[2]: must be a date such as 2027-12-25',
      'callingWindow[1].except[4]: must be a date such as 2027-12-25',
      'callingWindow[1].except[3]: is named twice',
      'callingWindow[1].x: is an unrecognized key',
      expect.stringMatching(/^callingWindow\[2\]: must be an object/),
    ]);
    expect(problemsOf([morning, { from: '13:00', until: '13:00' }])).toEqual([
      'callingWindow[1].until: must differ from callingWindow[1].from; the whole day is 00:00 to 24:00',
    ]);
    expect(problemsOf([])).toEqual(['callingWindow: must have at least one window']);
    expect(problemsOf(Array.from({ length: 15 }, () => morning))).toEqual([
      'callingWindow: must have at most 14 windows',
    ]);
    const dates = Array.from({ length: 184 }, (_, day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
    const many = { ...morning, except: dates };
    expect(problemsOf([many])).toEqual([]);
    expect(problemsOf([many, many])).toEqual([expect.stringMatching(/^callingWindow: must have at most 366 dates/)]);
  });

  test('from and until are required', () => {
    expect(problemsOf({})).toEqual(['callingWindow.from: is required', 'callingWindow.until: is required']);
  });

  test.each([
    ['the same time twice', { from: '09:00', until: '09:00' }, 'callingWindow.until'],
    ['midnight written as 00:00 at the end', { from: '09:00', until: '00:00' }, 'callingWindow.until'],
    ['an opening at 24:00', { from: '24:00', until: '09:00' }, 'callingWindow.from'],
    ['no days', { from: '09:00', until: '20:00', daysOfWeek: [] }, 'callingWindow.daysOfWeek'],
    ['day 8', { from: '09:00', until: '20:00', daysOfWeek: [8] }, 'callingWindow.daysOfWeek[0]'],
    ['half a day', { from: '09:00', until: '20:00', daysOfWeek: [1.5] }, 'callingWindow.daysOfWeek[0]'],
    ['an unknown zone', { from: '09:00', until: '20:00', timezone: 'Mars/Olympus' }, 'callingWindow.timezone'],
    ['an array', [], 'callingWindow'],
  ])('%s is refused', (_what, input, path) => {
    expect(problemsOf(input)).toEqual([expect.stringMatching(new RegExp(`^${path.replace(/[[\].]/g, '\\$&')}: `))]);
  });
});
