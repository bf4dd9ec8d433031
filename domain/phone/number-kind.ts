import metadata from 'libphonenumber-js/max/metadata';
import { callingCodeOf, countryOf } from './phone-number.js';
import { countriesOfCode, plansOfCode } from './phone-number-plans.js';

/** In place of a country, of numbers that belong to none (+800, +883), as libphonenumber has it. */
export const noCountry = '001';

/**
 * Calling codes of satellite telephones and of networks above all countries, some of which are satellites' too: Inmarsat,
 * Iridium and Globalstar, the shared codes 882 and 883.
 */
const satelliteCodes: ReadonlySet<string> = new Set(['870', '881', '882', '883']);

/** Place of a plan's number types, and of premium-rate and toll-free among them, in libphonenumber's metadata format 4. */
const position = { types: 11, tollFree: 2, premiumRate: 3 } as const;

interface Patterns {
  readonly premiumRate: readonly RegExp[];
  readonly tollFree: readonly RegExp[];
}

const known = new Map<string, Patterns>();

function patternOf(plan: readonly unknown[], type: number): RegExp[] {
  const types = plan[position.types];
  const entry: unknown = Array.isArray(types) ? types[type] : undefined;
  const pattern: unknown = Array.isArray(entry) ? entry[0] : undefined;
  return typeof pattern === 'string' && pattern !== '' ? [new RegExp(`^(?:${pattern})$`)] : [];
}

/** What all countries of a calling code, which may share numbers, call premium-rate and toll-free. */
function patternsOf(callingCode: string): Patterns {
  const remembered = known.get(callingCode);
  if (remembered !== undefined) return remembered;
  const plans = plansOfCode(callingCode);
  const patterns: Patterns = {
    premiumRate: plans.flatMap((plan) => patternOf(plan, position.premiumRate)),
    tollFree: plans.flatMap((plan) => patternOf(plan, position.tollFree)),
  };
  known.set(callingCode, patterns);
  return patterns;
}

const matchesAny = (patterns: readonly RegExp[], text: string): boolean =>
  patterns.some((pattern) => pattern.test(text));

const nationalOf = (e164: string, callingCode: string): string => e164.slice(1 + callingCode.length);

/** Whether an E.164 number charges its caller for more than the call, by the plan of any country with its calling code. */
export function isPremiumRate(e164: string): boolean {
  const callingCode = callingCodeOf(e164);
  return callingCode !== null && matchesAny(patternsOf(callingCode).premiumRate, nationalOf(e164, callingCode));
}

/** Whether an E.164 number is a satellite telephone's, or may be. */
export const isSatellite = (e164: string): boolean => satelliteCodes.has(callingCodeOf(e164) ?? '');

/**
 * The country that a call to an E.164 number counts for: ISO 3166-1 alpha-2, or {@link noCountry}.
 *
 * If several countries share a calling code and the digits do not tell (numbers that are not assigned, and
 * toll-free ones, which belong to all), it is the code's main country: +1 the United States, +44 the United Kingdom.
 */
export function dialedCountry(e164: string): string {
  const callingCode = callingCodeOf(e164);
  const countries = callingCode === null ? [] : countriesOfCode(callingCode);
  const [main] = countries;
  if (callingCode === null || main === undefined) return noCountry;
  if (countries.length === 1 || matchesAny(patternsOf(callingCode).tollFree, nationalOf(e164, callingCode)))
    return main;
  return sharedCountryOf(e164) ?? main;
}

/** Most numbers whose country is remembered. */
const mostRemembered = 10_000;
const countriesOfNumbers = new Map<string, string | null>();

/** The country of a number whose calling code several share. Telling them apart takes longest of all that an attempt needs of a number. */
function sharedCountryOf(e164: string): string | null {
  const country = countriesOfNumbers.get(e164);
  if (country !== undefined) return country;
  const found = countryOf(e164);
  const [oldest] = countriesOfNumbers.keys();
  if (countriesOfNumbers.size >= mostRemembered && oldest !== undefined) countriesOfNumbers.delete(oldest);
  countriesOfNumbers.set(e164, found);
  return found;
}

/** Whether a text is one of the countries that {@link dialedCountry} gives. */
export const isDialedCountry = (text: string): boolean => text === noCountry || Object.hasOwn(metadata.countries, text);
