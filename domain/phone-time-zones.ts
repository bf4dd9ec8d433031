import { canonicalZone } from './time-zone.js';

/**
 * IANA time zones by the digits that numbers begin with, country code first: `44` → all of the United Kingdom's. A longer
 * prefix is the better answer.
 */
export type TimeZonesByPrefix = ReadonlyMap<string, readonly string[]>;

/** No prefix of the mapping is longer than what E.164 allows. */
const maxDigits = 15;

/**
 * Calling codes of which the mapping's own entry says nothing. The numbers of +1 that no area code places are toll-free,
 * premium and personal ones: in all 40 zones from Guam to Bermuda, no calling window would ever open for them.
 */
const codesWithoutPlace: ReadonlySet<string> = new Set(['1']);

/**
 * Every time zone in which the holder of an E.164 number may be. A number that its prefix does not place (most mobile
 * ones) has all zones of its country, and is called only where the window is open in each (spec/api.md, callingWindow).
 * Empty where nothing is known: satellite numbers and others without a country, and toll-free ones of +1.
 */
export function timeZonesOf(e164: string, zones: TimeZonesByPrefix): readonly string[] {
  for (let length = Math.min(e164.length - 1, maxDigits); length > 0; length -= 1) {
    const prefix = e164.slice(1, 1 + length);
    const found = zones.get(prefix);
    if (found !== undefined) return codesWithoutPlace.has(prefix) ? [] : found;
  }
  return [];
}

/** Whether a text names an IANA time zone; an offset (+05:30) is no name, and does not follow daylight saving. */
export const isTimeZone = (name: string): boolean => canonicalZone(name) !== null;
