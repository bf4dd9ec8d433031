import { stringify } from 'csv-stringify/sync';
import pc from 'picocolors';
import { spreadsheetCell } from '../../domain/batch/spreadsheet-cell.js';
import type { Row } from './client.js';
import { textOf } from './printable.js';
import { widthOf } from './width.js';

/** How a command prints what it has got. */
export interface OutputFlags {
  readonly output: 'table' | 'json' | 'csv';
  /** Ids alone, one on a line. */
  readonly quiet?: true;
}

/** What is shown of a row: the title of each column, and the field, such as `outbound.address`, or how it is worked out. */
export type Columns = Readonly<Record<string, string | ((row: Row) => unknown)>>;

export interface Shown {
  readonly columns: Columns;
  /** The field that other commands take. */
  readonly id: string;
}

/**
 * Colours on a terminal that wants them, on this stream. A stream that is no terminal has no `isTTY`: passed on as
 * undefined it would leave the choice to FORCE_COLOR and CI.
 */
export const coloursOn = (stream: { readonly isTTY?: boolean }): ReturnType<typeof pc.createColors> => {
  const { NO_COLOR: noColour, TERM: term } = process.env;
  return pc.createColors(stream.isTTY === true && (noColour === undefined || noColour === '') && term !== 'dumb');
};

/** The value at `outbound.address` of a row; undefined if it has none. */
export const fieldOf = (row: Row, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.entries(value).find(([each]) => each === name)?.[1] as unknown;
  }, row);

const cellOf = (row: Row, column: Columns[string]): string =>
  textOf(typeof column === 'string' ? fieldOf(row, column) : column(row));

/** A column of an object, which is left empty if the object is. */
export const unlessEmpty =
  (field: string) =>
  ({ [field]: value }: Row): unknown =>
    JSON.stringify(value) === '{}' ? '' : value;

/** Prints a list. JSON has the rows as the service sent them. */
export function printRows(rows: readonly Row[], { columns, id }: Shown, { output, quiet }: OutputFlags): void {
  if (quiet === true) {
    printLines(rows.map((row) => textOf(fieldOf(row, id))));
    return;
  }
  if (output === 'json') {
    printLines([JSON.stringify(rows, null, 2)]);
    return;
  }
  const cells = rows.map((row) => Object.values(columns).map((column) => cellOf(row, column)));
  if (output === 'csv') {
    printCsv(Object.keys(columns), cells);
    return;
  }
  if (rows.length === 0) console.error('There is nothing to show.');
  else printLines(tableOf(Object.keys(columns), cells));
}

/** Prints one thing: a line for each field that it has. */
export function printOne(row: Row, { columns, id }: Shown, { output, quiet }: OutputFlags): void {
  if (quiet === true) {
    printLines([textOf(fieldOf(row, id))]);
    return;
  }
  if (output === 'json') {
    printLines([JSON.stringify(row, null, 2)]);
    return;
  }
  const fields = Object.entries(columns).map(([title, column]) => [title, cellOf(row, column)] as const);
  if (output === 'csv') {
    printCsv(Object.keys(columns), [fields.map(([, text]) => text)]);
    return;
  }
  const shown = fields.filter(([, text]) => text !== '');
  const width = Math.max(...shown.map(([title]) => title.length));
  const { dim } = coloursOn(process.stdout);
  printLines(shown.map(([title, text]) => `${dim(title.padEnd(width))}  ${text}`));
}

/** Prints what was done: in words, or as the service answered. */
export function printDone(words: string, answer: Row, id: string, { output, quiet }: OutputFlags): void {
  if (quiet === true) printLines([id]);
  else printLines([output === 'json' ? JSON.stringify(answer, null, 2) : words]);
}

function printCsv(titles: readonly string[], cells: readonly (readonly string[])[]): void {
  const rows = cells.map((row) => row.map(spreadsheetCell));
  process.stdout.write(stringify([titles.map((title) => title.toLowerCase()), ...rows]));
}

/** Lines of a table with its columns below each other. */
export function tableOf(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = titles.map((title, place) => Math.max(title.length, ...rows.map((row) => widthOf(row[place] ?? ''))));
  const lineOf = (cells: readonly string[]): string =>
    cells
      .map((cell, place) => cell + ' '.repeat(Math.max(0, (widths[place] ?? 0) - widthOf(cell))))
      .join('  ')
      .trimEnd();
  const { bold } = coloursOn(process.stdout);
  return [bold(lineOf(titles.map((title) => title.toUpperCase()))), ...rows.map(lineOf)];
}

export function printLines(lines: readonly string[]): void {
  if (lines.length > 0) console.log(lines.join('\n'));
}
