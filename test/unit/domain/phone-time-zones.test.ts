import { describe, expect, test } from 'vitest';
import { numberTimeZones } from '../../../contacts/number-time-zones.js';
import { timeZonesOf } from '../../../domain/phone/phone-time-zones.js';
import { canonicalZone } from '../../../domain/call/time-zone.js';

describe('the time zones of a number', () => {
  const zones = new Map([
    ['44', ['Europe/London', 'Europe/Jersey']],
    ['4420', ['Europe/London']],
    ['4474', ['Europe/Jersey']],
    ['91', ['Asia/Kolkata']],
    ['9198', ['Asia/Dhaka']],
    ['55', ['America/Manaus', 'America/Sao_Paulo']],
    ['5511', ['America/Sao_Paulo']],
    ['1', ['Pacific/Guam', 'America/New_York']],
    ['1212', ['America/New_York']],
  ]);

  test('the longest prefix answers for a number that its area code places', () => {
    expect(timeZonesOf('+442079460958', zones)).toEqual(['Europe/London']);
    expect(timeZonesOf('+5511961234567', zones)).toEqual(['America/Sao_Paulo']);
  });

  test('a mobile number without an area code may be anywhere in its country', () => {
    expect(timeZonesOf('+447400123456', zones)).toEqual(['Europe/London', 'Europe/Jersey']);
  });

  test('if a country has one zone, no more is asked', () => {
    expect(timeZonesOf('+919877012345', zones)).toEqual(['Asia/Kolkata']);
  });

  test('a number of which nothing is known has none', () => {
    expect(timeZonesOf('+881612345678', zones)).toEqual([]);
  });

  test('a number of +1 that no area code places has none: no window would be open in all of them', () => {
    expect(timeZonesOf('+12125550123', zones)).toEqual(['America/New_York']);
    expect(timeZonesOf('+18005550123', zones)).toEqual([]);
  });
});

describe('the mapping', () => {
  test.each([
    ['+919877012345', ['Asia/Calcutta']],
    ['+12125550123', ['America/New_York']],
    ['+13105550123', ['America/Los_Angeles']],
    ['+442079460958', ['Europe/London']],
    ['+18005550123', []],
  ])('%s is in %j', (number, expected) => {
    expect(timeZonesOf(number, numberTimeZones())).toEqual(expected);
  });

  test('a mobile number of a country with several zones has all of them', () => {
    expect(timeZonesOf('+61412345678', numberTimeZones())).toEqual(
      expect.arrayContaining(['Australia/Sydney', 'Australia/Perth']),
    );
  });

  test('names only zones that can be used, thousands of prefixes of them', () => {
    const zones = numberTimeZones();
    expect(zones.size).toBeGreaterThan(3_000);
    expect(
      [...zones.values()].every((list) => list.length > 0 && list.every((zone) => canonicalZone(zone) !== null)),
    ).toBe(true);
  });
});
