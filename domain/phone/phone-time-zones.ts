import { callingCodeOf, isPlaced } from './phone-number.js';

/**
 * IANA time zones by the digits that numbers begin with, country code first: `44` → all of the United Kingdom's. A
 * longer prefix is the better answer.
 */
export type TimeZonesByPrefix = ReadonlyMap<string, readonly string[]>;

/**
 * Calling codes of which the mapping's own entry says nothing. The numbers of +1 that no area code places are toll-free,
 * premium and personal ones: in all 40 zones from Guam to Bermuda, no calling window would ever open for them.
 */
const codesWithoutPlace: ReadonlySet<string> = new Set(['1']);

/**
 * Every time zone in which the holder of an E.164 number may be. A number that its digits do not place (most mobile
 * ones) has all zones of its calling code, and is called only if the window is open in each (docs/conformance.md,
 * Batch calls: schedule, retry, webhook, window). Empty if nothing is known: numbers of no country, and toll-free
 * ones of +1.
 */
export function timeZonesOf(e164: string, zones: TimeZonesByPrefix): readonly string[] {
  const callingCode = callingCodeOf(e164);
  if (callingCode === null) return [];
  if (codesWithoutPlace.has(callingCode)) return zonesOfPrefix(e164, callingCode.length + 1, zones);
  const everywhere = zones.get(callingCode) ?? [];
  if (everywhere.length <= 1 || !isPlaced(e164)) return everywhere;
  return zonesOfPrefix(e164, callingCode.length, zones);
}

/** The zones of the longest known prefix that has at least so many digits. */
function zonesOfPrefix(e164: string, fewestDigits: number, zones: TimeZonesByPrefix): readonly string[] {
  for (let digits = e164.length - 1; digits >= fewestDigits; digits -= 1) {
    const found = zones.get(e164.slice(1, 1 + digits));
    if (found !== undefined) return found;
  }
  return [];
}
