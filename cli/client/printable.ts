/** Control characters and marks that turn the direction of writing: in a terminal they could pass for something else. */
const unprintable = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** A text of the service as a terminal may show it: names and metadata are whatever somebody has sent. */
export const printable = (text: string): string => text.replace(unprintable, ' ');

/** A value of an answer in one cell or line. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.map(textOf).join(', ');
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return printable(JSON.stringify(value));
}
