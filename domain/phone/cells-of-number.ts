import { callingCodeOf } from './phone-number.js';

/**
 * The digits of cells that may stand for an E.164 number in a file: as it is, after 00, and without its country code, as
 * people write it at home. Cells that were corrected or rejected are found by them.
 */
export function digitsOfCells(e164: string): string[] {
  const digits = e164.slice(1);
  const callingCode = callingCodeOf(e164);
  const national = callingCode === null ? [] : [digits.slice(callingCode.length)];
  return [digits, `00${digits}`, ...national.flatMap((text) => [text, `0${text}`, `${callingCode ?? ''}0${text}`])];
}
