import type { Sheet } from './sheet.js';

/** A row of the file as the agent would know it. */
export interface FirstCall {
  readonly row: number;
  /** As the file has it. */
  readonly value: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Names for headers of the file, by header. */
export type ColumnNames = Readonly<Record<string, string>>;

/** The rows of the file with the names that its columns are given. */
export function firstCalls({ headers, rows }: Sheet, names: ColumnNames): readonly FirstCall[] {
  const named = headers.map((header) => (Object.hasOwn(names, header) ? names[header] : header) ?? header);
  const place = named.indexOf('phone_number');
  return rows.map(({ row, cells }) => ({
    row,
    value: cells[place] ?? '',
    metadata: Object.fromEntries(
      named.flatMap((name, index) => (name === '' || index === place ? [] : [[name, cells[index] ?? '']])),
    ),
  }));
}
