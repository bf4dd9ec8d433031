import { timeZonesOf } from '../domain/phone/phone-time-zones.js';
import { canonicalZone } from '../domain/call/time-zone.js';
import { numberTimeZones } from './number-time-zones.js';

/** Finds the zones of recipients: the one that is named if that is a zone, else those of the number; none if neither is known. */
export function timeZonesFinder(): (named: string, phoneNumber: string) => readonly string[] {
  const mapping = numberTimeZones();
  return (named, phoneNumber) => {
    const zone = canonicalZone(named.trim());
    return zone === null ? timeZonesOf(phoneNumber, mapping) : [zone];
  };
}
