import { unsavedFormula } from '../domain/phone/phone-number-cell.js';

/** A cell as a workbook stores it: text, a number, a truth value, a date's serial number, or an error's code. */
export type StoredCell =
  | string
  | number
  | boolean
  | {
      /** Days since the workbook's epoch. */
      readonly serial: number;
      /** Whether the epoch is 1904 and not 1900. */
      readonly date1904: boolean;
      /** Whether it is a length of time ([h]:mm) and not a moment. */
      readonly elapsed: boolean;
    }
  | {
      /** Code of an error such as #N/A. */
      readonly error: number;
    }
  | typeof unsaved;

/** A formula whose result is not stored. */
export const unsaved = Symbol('a formula without its result');

const dayMs = 86_400_000;

/** Days from either epoch of a workbook to 1970-01-01. */
const daysTo1970 = { 1900: 25_569, 1904: 24_107 } as const;

/** Excel counts a 29 February 1900 that never was (ECMA-376, 18.17.4.1): days before it are one less than they say. */
const phantomDay = 60;

/** Error codes and what a spreadsheet shows for them (MS-XLS, BErr). */
const errors: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
};

/** Most characters of a cell, as in Excel. A file can hold longer ones: they are cut. */
const mostCharacters = 32_767;

const unpairedSurrogate = /\p{Surrogate}/gu;

/**
 * A cell's text, from what is stored and never from how it is shown (docs/conformance.md, Batch calls: rows): numbers
 * as plain decimals, dates as ISO 8601 without a zone, truth values and errors as Excel writes them into CSV. NULs are
 * removed, and half characters, which JSON in Postgres cannot hold, replaced.
 */
export function cellText(cell: StoredCell): string {
  if (cell === unsaved) return unsavedFormula;
  if (typeof cell === 'string') {
    return cell.slice(0, mostCharacters).replaceAll('\0', '').replace(unpairedSurrogate, '\u{fffd}');
  }
  if (typeof cell === 'number') return plainDecimal(cell);
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  if ('error' in cell) return errors[cell.error] ?? '#ERROR!';
  return cell.elapsed ? elapsedText(cell.serial) : momentText(cell.serial, cell.date1904);
}

/** 1e21 → `1000000000000000000000`, 1.5e-7 → `0.00000015`: as many digits as the number has, and no exponent. */
function plainDecimal(value: number): string {
  const text = String(value);
  const [, sign = '', whole = '', fraction = '', exponentText] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (exponentText === undefined) return text;
  const exponent = Number(exponentText);
  const digits = whole + fraction;
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  return sign + digits.padEnd(whole.length + exponent, '0');
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Hours, minutes, seconds, and milliseconds if there are any. */
function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(twoDigits).join(':');
  return ms % 1000 === 0 ? clock : `${clock}.${String(ms % 1000).padStart(3, '0')}`;
}

function elapsedText(serial: number): string {
  const ms = Math.round(serial * dayMs);
  return ms < 0 ? `-${clockText(-ms)}` : clockText(ms);
}

function momentText(serial: number, date1904: boolean): string {
  if (serial >= 0 && serial < 1) return clockText(Math.round(serial * dayMs) % dayMs);
  const days = !date1904 && serial < phantomDay ? serial + 1 : serial;
  const ms = Math.round((days - daysTo1970[date1904 ? 1904 : 1900]) * dayMs);
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return plainDecimal(serial);
  const [day = '', time = ''] = date.toISOString().slice(0, -1).split('T');
  if (time === '00:00:00.000') return day;
  return `${day}T${time.endsWith('.000') ? time.slice(0, -4) : time}`;
}
