/** One line of the table, and one entry of the JSON file. */
export interface Result {
  /** Stable name by which runs are compared. */
  readonly name: string;
  readonly value: number;
  /** What the value is counted in, e.g. `calls/s`; `×` for a ratio of two measurements of this run. */
  readonly unit: string;
  /** The aim. Nothing fails if it is missed. */
  readonly aim?: { readonly atLeast: number } | { readonly atMost: number };
  /** How it came about: sizes, limits, the parts of a ratio. */
  readonly note?: string;
}

/** The middle value; the mean of the two in the middle if their number is even. */
export const median = (values: readonly number[]): number => (percentile(values, 0.5) + upperMedian(values)) / 2;

/** The smallest value that at least this share of the values does not exceed. NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

function upperMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

const reached = ({ value, aim }: Result): boolean =>
  aim === undefined || ('atLeast' in aim ? value >= aim.atLeast : value <= aim.atMost);

function aimText(result: Result): string {
  const { aim } = result;
  if (aim === undefined) return '';
  const wanted = 'atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`;
  return reached(result) ? wanted : `${wanted} missed`;
}

function shown(value: number): string {
  if (Number.isNaN(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}

/** The results as a table for a terminal, numbers under each other. */
export function table(results: readonly Result[]): string {
  const rows = [
    ['benchmark', 'result', 'unit', 'aim', 'how'],
    ...results.map((result) => [result.name, shown(result.value), result.unit, aimText(result), result.note ?? '']),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map(([name = '', value = '', unit = '', aim = '', note = '']) =>
      [
        name.padEnd(widths[0] ?? 0),
        value.padStart(widths[1] ?? 0),
        unit.padEnd(widths[2] ?? 0),
        aim.padEnd(widths[3] ?? 0),
        note,
      ]
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
