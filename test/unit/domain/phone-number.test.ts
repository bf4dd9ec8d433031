import { describe, expect, test } from 'vitest';
import {
  callingCodeOf,
  countryOf,
  e164Problem,
  isAssignable,
  isE164,
  toE164,
} from '../../../domain/phone/phone-number.js';

describe('toE164', () => {
  test.each([
    ['+919877012345', '+919877012345'],
    ['+44 (0)20 7946 0958', '+442079460958'],
    ['+1 212-555-0123', '+12125550123'],
    ['+1.212.555.0123', '+12125550123'],
    ['\u{ff0b}91 98770 12345', '+919877012345'],
    ['+8001234567 8', '+80012345678'],
  ])('%s is %s', (text, number) => {
    expect(toE164(text)).toBe(number);
  });

  test.each([
    ['no +', '919877012345'],
    ['nothing', ''],
    ['a + alone', '+'],
    ['letters', '+1800FLOWERS'],
    ['a calling code that does not exist', '+9991234567'],
    ['a digit too few for its country', '+1212555012'],
    ['a digit too many for its country', '+1212555012345'],
    ['an extension, which cannot be dialed', '+12125550123 ext. 5'],
    ['more than 15 digits, though Germany has such', '+4915112345678901'],
    ['fewer than 7 digits, though Germany has such', '+49110'],
    ['two numbers', '+12125550123 / +12125550124'],
    ['a very long text', `+${'1'.repeat(5_000)}`],
  ])('is null for %s', (_name, text) => {
    expect(toE164(text)).toBeNull();
  });

  test('7 and 15 digits are the shortest and the longest', () => {
    expect(toE164('+2902222')).toBe('+2902222'); // Saint Helena's have four digits
    expect(toE164('+491511234567890')).toBe('+491511234567890');
  });
});

describe('an E.164 field of a request', () => {
  // shows: numbers.e164
  test('accepts a number only as it is dialed', () => {
    expect(isE164('+919877012345')).toBe(true);
    expect(isE164('+91 98770 12345')).toBe(false);
    expect(isE164('919877012345')).toBe(false);
    expect(e164Problem('+919877012345')).toBeNull();
  });

  test.each([
    ['', /empty/],
    ['919877012345', /start with \+/],
    ['+91 98770 12345', /written as \+919877012345$/],
    ['+9991234567', /calling code of a country/],
    ['+1212555', /right number of digits for the calling code \+1$/],
    ['+1800FLOWERS', /\+ and digits only/],
  ])('%j gets a message that says how to write it', (text, words) => {
    expect(e164Problem(text)).toMatch(words);
  });
});

test('a number is assignable if its country has given out its range', () => {
  expect(isAssignable('+14155552671')).toBe(true);
  expect(isAssignable('+5551234567')).toBe(false);
});

test.each([
  ['+12125550123', 'US', '1'],
  ['+14165550123', 'CA', '1'],
  ['+919877012345', 'IN', '91'],
  ['+77012345678', 'KZ', '7'],
  ['+80012345678', null, '800'],
  ['+9991234567', null, null],
])('%s is of the country %s and the calling code %s', (number, country, callingCode) => {
  expect(countryOf(number)).toBe(country);
  expect(callingCodeOf(number)).toBe(callingCode);
});
