import fc from 'fast-check';
import {
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, test } from 'vitest';
import { possibleByPlan } from '../../domain/phone/phone-number-plans.js';
import { isE164, toE164 } from '../../domain/phone/phone-number.js';

const e164Shape = /^\+[1-9]\d{6,14}$/;

/** The answer the library itself gives, by its own parser and nothing else. */
function asked(text: string): string | null {
  const number = parsePhoneNumberFromString(text, { extract: false });
  return number?.isPossible() === true && e164Shape.test(number.number) ? number.number : null;
}

const callingCodes = [
  ...new Set<string>([
    ...getCountries().map((country) => getCountryCallingCode(country)),
    '800',
    '808',
    '870',
    '878',
    '881',
    '882',
    '883',
    '888',
    '979',
  ]),
];
const digits = (minLength: number, maxLength: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength, maxLength }).map((list) => list.join(''));

describe('numbers judged by their plan alone', () => {
  test('every calling code and every length gets the answer of the library', () => {
    fc.assert(
      fc.property(fc.constantFrom(...callingCodes), digits(0, 15), (callingCode, national) => {
        const number = `+${callingCode}${national}`;
        fc.pre(e164Shape.test(number));
        expect(toE164(number)).toBe(asked(number));
      }),
      { numRuns: 20_000 },
    );
  });

  test('any + and digits, calling code or not, gets the answer of the library', () => {
    fc.assert(
      fc.property(digits(1, 18), (text) => {
        expect(toE164(`+${text}`)).toBe(asked(`+${text}`));
      }),
      { numRuns: 5_000 },
    );
  });

  test('the numbers that each country gives as its example need no parser, except where trunk prefixes make them ambiguous', () => {
    const answers = getCountries().map((country) => possibleByPlan(getExampleNumber(country, examples)?.number ?? ''));
    expect(answers).not.toContain('no');
    expect(answers.filter((answer) => answer === 'yes').length).toBeGreaterThan(200);
  });

  test('spaces, dashes and brackets never change which number is meant', () => {
    const separator = fc.constantFrom('', ' ', '-', '(', ')', '\u00a0', '\u2011', '\u202a', ' - ');
    fc.assert(
      fc.property(
        fc.constantFrom(...callingCodes),
        fc.array(fc.tuple(digits(1, 2), separator), { minLength: 2, maxLength: 8 }),
        (callingCode, parts) => {
          const plain = `+${callingCode}${parts.map(([part]) => part).join('')}`;
          const spaced = ` +${callingCode} ${parts.map((part) => part.join('')).join('')}`;
          expect(toE164(spaced)).toBe(toE164(plain));
        },
      ),
    );
  });

  test('a number that a country has given out is read as itself', () => {
    fc.assert(
      fc.property(fc.constantFrom(...getCountries()), digits(0, 4), (country, tail) => {
        const example = getExampleNumber(country, examples)?.number ?? '';
        const number = `${example.slice(0, example.length - tail.length)}${tail}`;
        fc.pre(parsePhoneNumberFromString(number)?.isValid() === true);
        fc.pre(parsePhoneNumberFromString(number)?.number === number);
        expect(isE164(number)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});
