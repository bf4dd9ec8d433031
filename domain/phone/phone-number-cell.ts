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

/**
 * What stands for a cell with a formula whose result the file does not hold. No text of a file is this one: NULs are removed
 * from cells.
 */
export const unsavedFormula = '\0formula';

const example = '+919877012345';
const scientific = /^[+]?\d+(?:[.,]\d+)?e[+]?\d+$/i;
/** What a data tool writes for a whole number it took for a decimal one. */
const trailingZeroDecimals = /^(\d{7,15})\.0+$/;
/** What spreadsheets show for a formula that has failed, such as #N/A. */
const formulaError = /^#(?:N\/A|NAME\?|DIV\/0!|[A-Z_]+!?)$/;
/** A date cell as it is read, perhaps with a time. Its digits may make a number of another country. */
const date = /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T[\d:.]+)?$/;

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
  if (cell === unsavedFormula) {
    return fault(
      'unsaved_formula',
      'The cell has a formula, and the file does not hold its result. Open the file in a spreadsheet program, save it, and send it again.',
    );
  }
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
  const written = text.trim();
  if (formulaError.test(written)) {
    return fault(
      'invalid_number',
      `The cell shows the error ${shown(written)} in place of a number. Repair its formula, or write the number, such as ${example}.`,
    );
  }
  if (date.test(written)) {
    return fault(
      'invalid_number',
      `The cell holds the date ${written.slice(0, 10)} in place of a number. ` +
        `Format the phone_number column as Text, and write the number, such as ${example}.`,
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
