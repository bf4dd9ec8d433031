import { callingCodeOf } from './phone-number.js';
import { dialedCountry } from './number-kind.js';

/** Of another country. */
const elsewhere = 100;
/** An area code: the digits after the calling code that are compared. In the plan of +1 they are one code, elsewhere a tree. */
const areaDigits = { ofOne: 3, others: 4 } as const;

/**
 * How far a number to call from is from a callee, by digits: 0 in the same area code, more the fewer digits of it are the same in the
 * same country, most in another. Less is nearer.
 */
export function distanceBetween(own: string, callee: string): number {
  const callingCode = callingCodeOf(own);
  if (callingCode === null || callingCode !== callingCodeOf(callee) || dialedCountry(own) !== dialedCountry(callee)) {
    return elsewhere;
  }
  const from = 1 + callingCode.length;
  const digits = callingCode === '1' ? areaDigits.ofOne : areaDigits.others;
  const area = own.slice(from, from + digits);
  const other = callee.slice(from, from + digits);
  if (callingCode === '1') return area === other ? 0 : digits;
  let same = 0;
  while (same < digits && area[same] !== undefined && area[same] === other[same]) same += 1;
  return digits - same;
}
