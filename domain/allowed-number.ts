import { isE164 } from './phone-number.js';

const prefixForm = /^\+[1-9]\d{0,13}\*$/;

/** Whether an entry of a rule's allowedNumbers can be one: an E.164 number, or the beginning of numbers followed by `*`. */
export const isAllowedNumberForm = (entry: string): boolean => prefixForm.test(entry) || isE164(entry);

/** Whether a rule lets a number through; an empty list lets every one through. */
export function isNumberAllowed(allowedNumbers: readonly string[], e164: string): boolean {
  if (allowedNumbers.length === 0) return true;
  return allowedNumbers.some((entry) => (entry.endsWith('*') ? e164.startsWith(entry.slice(0, -1)) : e164 === entry));
}
