import {
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import { planOf, possibleByPlan } from './phone-number-plans.js';

/** + and 7 to 15 digits: what ITU-T E.164 and the database's own check admit. */
const e164Shape = /^\+[1-9]\d{6,14}$/;

/** What people and spreadsheets put between digits: spaces, dashes, brackets and the invisible marks of a copied contact. */
const separators =
  /[\s()[\]{}\u{ff08}\u{ff09}\u{ad}\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}\u{2066}-\u{2069}\u{feff}\p{Dash}]+/gu;

/** No number is written longer; what is longer is not worth reading. */
const longestText = 250;

/** The text without spaces, dashes and brackets. */
export const withoutSeparators = (text: string): string => text.replace(separators, '');

const parsed = (text: string): PhoneNumber | undefined => parsePhoneNumberFromString(text, { extract: false });

/**
 * The E.164 number that a text beginning with + stands for, or null if libphonenumber does not find it possible.
 * Spaces, dashes, brackets and what else libphonenumber reads as punctuation are dropped, a trunk prefix too
 * (+44 (0)20 7946 0958 is +442079460958); an extension cannot be dialed and makes it null.
 */
export function toE164(text: string): string | null {
  if (text.length > longestText) return null;
  // NFKC turns full-width digits and signs, as East Asian keyboards type them, into the plain ones.
  const number = e164Shape.test(text) ? text : withoutSeparators(text.normalize('NFKC'));
  if (e164Shape.test(number)) {
    const possible = possibleByPlan(number);
    if (possible === 'yes') return number;
    if (possible === 'no') return null;
  } else if (!number.startsWith('+')) {
    return null;
  }
  const phoneNumber = parsed(number);
  if (phoneNumber?.isPossible() !== true || phoneNumber.ext !== undefined) return null;
  return e164Shape.test(phoneNumber.number) ? phoneNumber.number : null;
}

/**
 * The E.164 number that digits without a + stand for in a country, with or without its trunk prefix or calling code. Null
 * if they are not a number that the country has assigned: a guess would call another person.
 *
 * @param country ISO 3166-1 alpha-2
 */
export function nationalNumber(digits: string, country: string): string | null {
  if (!isSupportedCountry(country)) return null;
  const number = parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false });
  if (number?.isValid() !== true || number.ext !== undefined) return null;
  // Digits with a calling code are accepted only if it is the country's: others were never written without a +.
  return number.countryCallingCode === getCountryCallingCode(country) ? number.number : null;
}

/** Whether a text is a possible number in exactly the form E.164 writes it. */
export const isE164 = (text: string): boolean => toE164(text) === text;

/** Why a text is not an E.164 number, in words that say how to correct it; null if it is one. */
export function e164Problem(text: string): string | null {
  const number = toE164(text);
  if (number === text) return null;
  if (number !== null) return `must be written as ${number}`;
  if (text.trim() === '') return 'must be a phone number such as +919877012345, and is empty';
  if (!/^\s*[+\u{ff0b}]/u.test(text)) return 'must start with + and the country code, such as +919877012345';
  const digits = text.replace(/\D/g, '');
  const plan = planOf(`+${digits}`);
  if (plan === null) return 'must start with the calling code of a country after the +, such as +919877012345';
  if (/[^\d+\s().\-/]/.test(text)) return 'must be + and digits only, such as +919877012345';
  return `must have the right number of digits for the calling code +${plan.callingCode}`;
}

/** The E.164 number that digits mean when they are dialed from the country of another number; null if they mean none. */
export function asDialedBeside(own: string, digits: string): string | null {
  const country = parsed(own)?.country;
  if (country === undefined) return null;
  const number = parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false });
  return number?.isPossible() === true ? number.number : null;
}

/** Calling codes whose mobile numbers carry an area code: Mexico, Argentina, Brazil, Indonesia, China (libphonenumber). */
const codesWithMobileAreas: ReadonlySet<string> = new Set(['52', '54', '55', '62', '86']);

/** Whether the digits of an E.164 number say where in its country it belongs; those of most mobile numbers do not. */
export function isPlaced(e164: string): boolean {
  const number = parsed(e164);
  const type = number?.getType();
  if (type === 'FIXED_LINE' || type === 'FIXED_LINE_OR_MOBILE') return true;
  return type === 'MOBILE' && codesWithMobileAreas.has(number?.countryCallingCode ?? '');
}

/** Whether an E.164 number is one that its country has given out as a range: stricter than possible, which looks at lengths. */
export const isAssignable = (e164: string): boolean => parsed(e164)?.isValid() === true;

/** ISO 3166-1 alpha-2 code of an E.164 number's country; null for numbers of no country (+800) and if it cannot be told. */
export const countryOf = (e164: string): string | null => parsed(e164)?.country ?? null;

/** Calling code of an E.164 number without the +, or null if none begins it. */
export const callingCodeOf = (e164: string): string | null => planOf(e164)?.callingCode ?? null;
