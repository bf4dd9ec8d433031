import { isE164 } from './phone-number.js';

const prefixForm = /^\+[1-9]\d{0,13}\*$/;

/** Whether an entry of a rule's allowedNumbers can be one: an E.164 number, or the beginning of numbers followed by `*`. */
export const isAllowedNumberForm = (entry: string): boolean => prefixForm.test(entry) || isE164(entry);

/** Whether a list names whole numbers only, no beginnings. */
export const areWholeNumbers = (allowedNumbers: readonly string[]): boolean =>
  allowedNumbers.every((entry) => !entry.endsWith('*'));

/** Whether a rule lets a number through; an empty list lets every one through. */
export function isNumberAllowed(allowedNumbers: readonly string[], e164: string): boolean {
  if (allowedNumbers.length === 0) return true;
  return allowedNumbers.some((entry) => (entry.endsWith('*') ? e164.startsWith(entry.slice(0, -1)) : e164 === entry));
}

/** Whether everyone whom `entry` names is let through by `allowedNumbers`. */
const isEntryAllowed = (allowedNumbers: readonly string[], entry: string): boolean =>
  allowedNumbers.some((other) =>
    other.endsWith('*') ? entry.startsWith(other.slice(0, -1)) : !entry.endsWith('*') && entry === other,
  );

/**
 * Whom two lists both let through, as a list; an empty one of them lets everyone through.
 * @returns null if they have no number in common
 */
export function commonAllowedNumbers(one: readonly string[], other: readonly string[]): readonly string[] | null {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const common = new Set([
    ...one.filter((entry) => isEntryAllowed(other, entry)),
    ...other.filter((entry) => isEntryAllowed(one, entry)),
  ]);
  return common.size === 0 ? null : [...common];
}
