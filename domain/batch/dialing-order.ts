/** What a recipient asks of the order in which a batch dials. */
export interface DialingOrder {
  /** 1 is called first, 9 last; omitted: 5. */
  readonly priority?: number;
  /** ISO instant, UTC: not dialed before. */
  readonly notBefore?: string;
}

/** Of a recipient that asks for none. */
export const ordinaryPriority = 5;
export const lastPriority = 9;

const instantWithZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/** Whether the calendar has this day, YYYY-MM-DD. */
const isDay = (date: string): boolean => {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
};

/** Reads an instant of ISO 8601 that says its offset. @returns the same in UTC, to the millisecond; null if it is none */
export function readInstant(text: string): string | null {
  // `Date` would take 30 February for 1 or 2 March.
  if (!instantWithZone.test(text) || !isDay(text.slice(0, 10))) return null;
  const at = new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  const year = at.getUTCFullYear();
  return Number.isNaN(at.getTime()) || year < 1970 || year > 9999 ? null : at.toISOString();
}

/** Reads a cell of a `priority` column; undefined if it is no whole number from 1 to 9: such a column means something else. */
export function readPriority(cell: string): number | undefined {
  const text = cell.trim();
  return /^[1-9]$/.test(text) ? Number(text) : undefined;
}

/** The priorities of a batch, ascending; null if all recipients have the ordinary one. */
export function prioritiesOf(asked: ReadonlySet<number>): number[] | null {
  const others = [...asked].filter((priority) => priority !== ordinaryPriority);
  return others.length === 0 ? null : [...new Set([...others, ordinaryPriority])].sort((a, b) => a - b);
}
