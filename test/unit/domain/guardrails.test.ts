import { describe, expect, test } from 'vitest';
import {
  commonOpening,
  dayOfCallee,
  defaultGuardrails,
  hoursWindow,
  refusalOf,
  zonesOfCallee,
} from '../../../domain/account/guardrails.js';

const everyDay = [1, 2, 3, 4, 5, 6, 7];

describe('whom guardrails refuse', () => {
  const refusal = (to: string, change: Partial<typeof defaultGuardrails> = {}, home: string[] = ['IN']) =>
    refusalOf({ ...defaultGuardrails, ...change }, home, '+12025550100', to);

  // shows: guardrails.countries
  test('by default, callees outside of the countries of the account’s numbers', () => {
    expect(refusal('+919877012345')).toBeNull();
    expect(refusal('+442079460958')).toBe('country_not_allowed');
    expect(refusal('+442079460958', {}, ['GB'])).toBeNull();
  });

  test('the number called from counts among the account’s', () => {
    expect(refusal('+14155550180', {}, [])).toBeNull();
  });

  test('countries that are named take the place of the account’s own', () => {
    expect(refusal('+919877012345', { allowedCountries: ['GB'] })).toBe('country_not_allowed');
    expect(refusal('+442079460958', { allowedCountries: ['GB'] })).toBeNull();
  });

  test('a Caribbean number is not the United States’ though it begins with +1', () => {
    expect(refusal('+18765551234')).toBe('country_not_allowed');
    expect(refusal('+18765551234', { allowedCountries: ['JM'] })).toBeNull();
  });

  test('toll-free numbers and unassigned ranges count for the main country of their code', () => {
    expect(refusal('+18002345678')).toBeNull();
    expect(refusal('+15550100001')).toBeNull();
    expect(refusal('+447700900123', { allowedCountries: ['GB'] })).toBeNull();
  });

  // shows: guardrails.premium
  test.each([
    ['+19002345678', 'premium_rate_number'],
    ['+449098790123', 'premium_rate_number'],
    ['+979123456789', 'premium_rate_number'],
    ['+870773112345', 'satellite_number'],
    ['+881612345678', 'satellite_number'],
    ['+88216612345', 'satellite_number'],
  ])('%s is refused as %s, whatever countries are allowed', (to, reason) => {
    expect(refusal(to, { allowedCountries: ['US', 'GB', '001'] })).toBe(reason);
  });

  // shows: guardrails.premium
  test('premium-rate and satellite numbers can be allowed', () => {
    expect(refusal('+19002345678', { refusePremiumRate: false })).toBeNull();
    expect(refusal('+870773112345', { refuseSatellite: false, allowedCountries: ['001'] })).toBeNull();
    expect(refusal('+870773112345', { refuseSatellite: false })).toBe('country_not_allowed');
  });
});

describe('the hours in which a callee may be called', () => {
  const hours = { from: '09:00', until: '18:00', daysOfWeek: everyDay };

  test('a zone in the file narrows the hours of the number’s own zones and never widens them', () => {
    expect(zonesOfCallee(['America/New_York'], ['Asia/Tokyo'])).toEqual(['America/New_York', 'Asia/Tokyo']);
    expect(zonesOfCallee([], null)).toEqual(['UTC']);
  });

  test('they begin where they are open in all zones at once', () => {
    const opening = commonOpening(
      [hoursWindow(hours, ['America/New_York', 'America/Los_Angeles'])],
      new Date('2026-07-01T13:30:00Z'),
    );
    expect(opening).toEqual({ opensAt: new Date('2026-07-01T16:00:00Z'), closesAt: new Date('2026-07-01T22:00:00Z') });
  });

  test('a batch’s own window narrows them', () => {
    const batch = { from: '17:00', until: '21:00', daysOfWeek: [3], timezone: 'UTC' };
    const opening = commonOpening(
      [hoursWindow(hours, ['UTC']), { window: batch, zones: ['UTC'] }],
      new Date('2026-07-02T10:00:00Z'), // a Thursday
    );
    expect(opening).toEqual({ opensAt: new Date('2026-07-08T17:00:00Z'), closesAt: new Date('2026-07-08T18:00:00Z') });
  });

  test('windows that never meet have no opening', () => {
    const evening = { from: '20:00', until: '22:00', daysOfWeek: everyDay, timezone: 'UTC' };
    expect(
      commonOpening(
        [hoursWindow(hours, ['UTC']), { window: evening, zones: ['UTC'] }],
        new Date('2026-07-02T10:00:00Z'),
      ),
    ).toBeNull();
  });
});

describe('the day of a callee', () => {
  test('is the calendar day of its zone', () => {
    expect(dayOfCallee(['Asia/Calcutta'], new Date('2026-07-01T20:00:00Z'))).toEqual({
      since: new Date('2026-07-01T18:30:00Z'),
      until: new Date('2026-07-02T18:30:00Z'),
    });
  });

  test('with several zones, began when it began in the first and is looked at again when it ends in one', () => {
    expect(dayOfCallee(['America/New_York', 'America/Los_Angeles'], new Date('2026-07-01T05:00:00Z'))).toEqual({
      since: new Date('2026-06-30T07:00:00Z'),
      until: new Date('2026-07-01T07:00:00Z'),
    });
  });

  test('has 23 hours when clocks go forward', () => {
    expect(dayOfCallee(['Europe/Berlin'], new Date('2026-03-29T12:00:00Z'))).toEqual({
      since: new Date('2026-03-28T23:00:00Z'),
      until: new Date('2026-03-29T22:00:00Z'),
    });
  });

  test.each([
    ['Africa/Cairo', '2027-04-29T21:30:00Z', '2027-04-28T22:00:00Z', '2027-04-29T22:00:00Z'],
    ['America/Santiago', '2027-09-05T03:59:59Z', '2027-09-04T04:00:00Z', '2027-09-05T04:00:00Z'],
    ['America/Havana', '2027-03-13T18:00:00Z', '2027-03-13T05:00:00Z', '2027-03-14T05:00:00Z'],
  ])(
    'ends when the next begins, in %s at 01:00, where the clocks skip the hour after midnight',
    (zone, at, since, until) => {
      expect(dayOfCallee([zone], new Date(at))).toEqual({ since: new Date(since), until: new Date(until) });
    },
  );

  test('has 25 hours when the hour after midnight comes twice: what was dialed in the first one counts in the second', () => {
    const day = { since: new Date('2026-11-01T04:00:00Z'), until: new Date('2026-11-02T05:00:00Z') };
    for (const at of ['04:30', '05:30', '23:00']) {
      expect(dayOfCallee(['America/Havana'], new Date(`2026-11-01T${at}:00Z`))).toEqual(day);
    }
  });
});
