/** Reads `?a=1&b=x` as texts; what a page makes of them is its `validateSearch`. */
export const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

/** Writes what is set, and nothing for what is empty. */
export function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value as string | number)]],
  );
  const text = new URLSearchParams(entries).toString();
  return text === '' ? '' : `?${text}`;
}

/** The text of a field of an address; undefined: there is none. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The whole number of a field of an address, from 1; undefined: there is none. */
export function numberOf(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isSafeInteger(number) && number >= 1 ? number : undefined;
}

/** The date of a field of an address, `2026-03-01`; undefined: there is none. */
export const dateOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

/** Those words of a comma-separated field that are known; undefined: none. */
export function wordsOf<Word extends string>(value: unknown, known: readonly Word[]): readonly Word[] | undefined {
  const words = (textOf(value) ?? '').split(',');
  const found = known.filter((word) => words.includes(word));
  return found.length === 0 ? undefined : found;
}

/** The moment of a field of an address in the viewer's time zone, `2026-03-01T09:30`; undefined: there is none. */
export const momentOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

/** A range of seconds as the API takes it: `30-120`, `60-` or `-10`; undefined if it is none. */
export function rangeOf(value: unknown): string | undefined {
  const [, least, most] = /^\s*(\d{1,6})?\s*-\s*(\d{1,6})?\s*$/.exec(typeof value === 'string' ? value : '') ?? [];
  if ((least ?? most) === undefined || Number(least ?? 0) > Number(most ?? Infinity)) return undefined;
  return `${least ?? ''}-${most ?? ''}`;
}
