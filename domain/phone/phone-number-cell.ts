import { isAssignable, nationalNumber, toE164, withoutSeparators } from './phone-number.js';
import type { NumberFault } from '../batch/row-reasons.js';

/** What to do with a number that lacks its + (docs/conformance.md, Batch calls: rows). */
export type MissingPlus = 'reject' | 'add';

export type NumberReading =
  | {
      readonly phoneNumber: string;
      /** The number is not written in the file as it will be dialed. */
      readonly corrected: boolean;
    }
  | { readonly fault: NumberFault; readonly message: string };

const example = '+919877012345';
const scientific = /^[+]?\d+(?:[.,]\d+)?e[+]?\d+$/i;
/** What a data tool writes for a whole number it took for a decimal one. */
const trailingZeroDecimals = /^(\d{7,15})\.0+$/;

const shown = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

const fault = (kind: NumberFault, message: string): NumberReading => ({ fault: kind, message });

/** The digits of a number that has everything but its +, or null. */
function digitsWithoutPlus(text: string): string | null {
  const digits = withoutSeparators(text).replace(trailingZeroDecimals, '$1').replace(/[./]/g, '');
  return /^\d{7,15}$/.test(digits) ? digits : null;
}

/**
 * Reads one cell of the phone_number column (docs/conformance.md, Batch calls: rows).
 *
 * A number without + is not guessed at unless the uploader asked for it: a New York number that lost its +1 reads as a
 * number of New Zealand. With `add` it must be a number its country has given out, not merely one of a possible length.
 *
 * @param country whose national numbers are read, such as US; null: those of none
 */
export function readNumberCell(cell: string, missingPlus: MissingPlus, country: string | null = null): NumberReading {
  // A leading apostrophe is how a spreadsheet marks a cell as text; some exports keep it.
  const text = cell.startsWith("'") ? cell.slice(1) : cell;
  const phoneNumber = toE164(text);
  if (phoneNumber !== null) return { phoneNumber, corrected: phoneNumber !== cell };
  if (withoutSeparators(text) === '') {
    return fault('missing_number', `There is no number in this row. Write one such as ${example}, or remove the row.`);
  }
  if (scientific.test(text.trim())) {
    return fault(
      'excel_number',
      `The spreadsheet has turned the number into ${shown(text.trim())} and its last digits are lost. ` +
        `Format the phone_number column as Text, enter the number again as ${example}, and save the file.`,
    );
  }
  const digits = digitsWithoutPlus(text);
  if (digits === null) {
    return fault(
      'invalid_number',
      `${shown(text)} is not a possible phone number. Write + , the country code and the number, such as ${example}.`,
    );
  }
  const national = country === null || digits.startsWith('00') ? null : nationalNumber(digits, country);
  if (national !== null) return { phoneNumber: national, corrected: true };
  return missingPlus === 'add' && !digits.startsWith('00') ? withPlusAdded(text, digits) : withoutPlus(text, digits);
}

function withPlusAdded(text: string, digits: string): NumberReading {
  const phoneNumber = toE164(`+${digits}`);
  if (phoneNumber !== null && isAssignable(phoneNumber)) return { phoneNumber, corrected: true };
  return fault(
    'invalid_number',
    `${shown(text)} has no +, and +${digits} is not a valid number. ` +
      `Write the number with + and its country code, such as ${example}.`,
  );
}

function withoutPlus(text: string, digits: string): NumberReading {
  if (digits.startsWith('00')) {
    return fault('missing_plus', `${shown(text)} starts with 00. Write + in its place: +${digits.slice(2)}.`);
  }
  return fault(
    'missing_plus',
    `${shown(text)} has no +. Format the phone_number column as Text and write the number with + and its country code, ` +
      `such as ${example}; if every number already begins with its country code, send missingPlus=add.`,
  );
}
