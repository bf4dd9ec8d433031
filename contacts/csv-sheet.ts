import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { parse as parseWhole } from 'csv-parse/sync';
import { unbalancedQuoteLine } from './csv-quotes.js';
import { toUtf8 } from '../platform/text-encoding.js';
import { isUnquoted, unquotedRows } from './csv-unquoted.js';
import type { RowBlock } from './sheet.js';
import { UnusableFile } from './unusable-file.js';

/** Bytes given to the parser at once: some five thousand bare numbers, a few milliseconds of work. */
const sliceBytes = 65_536;

const delimiters = [',', ';', '\t'] as const;

const parserOptions = (delimiter: string) => ({
  delimiter,
  relax_column_count: true,
  record_delimiter: ['\r\n', '\n', '\r'],
});

/** The first record as one delimiter splits it; empty if it cannot be read so. */
function firstRecord(text: Buffer, delimiter: string): readonly string[] {
  try {
    return parseWhole(text.subarray(0, sliceBytes * 4), { ...parserOptions(delimiter), to: 1 })[0] ?? [];
  } catch (error) {
    if (error instanceof CsvError) return []; // the parse proper names what is wrong, and where
    throw error;
  }
}

/** The delimiter under which the header has a phone_number column, else the one that gives it the most columns. */
function delimiterOf(text: Buffer): string {
  const headers = delimiters.map((delimiter) => ({ delimiter, cells: firstRecord(text, delimiter) }));
  const withNumber = headers.filter(({ cells }) => cells.some((cell) => cell.trim() === 'phone_number'));
  const candidates = withNumber.length > 0 ? withNumber : headers;
  return candidates.reduce((best, next) => (next.cells.length > best.cells.length ? next : best)).delimiter;
}

/** Excel reads a first line such as `sep=;` as the delimiter and does not show it as a row. */
const excelDelimiterLine = /^sep=([,;\t])\r?\n/i;

function unreadable(error: CsvError, text: Buffer, delimiter: string): UnusableFile {
  const line = unbalancedQuoteLine(text, delimiter);
  if (line === null) return new UnusableFile(`The file cannot be read as CSV: ${error.message}`);
  return new UnusableFile(
    `A quote (") is unbalanced on line ${line}. A quoted cell needs one at its start and one at its end, ` +
      'and a quote inside it is written twice ("").',
  );
}

/**
 * A CSV file as rows, a slice at a time: a 5 MB file is never in memory as rows at once. Delimiter and encoding are
 * found out; quoting is RFC 4180.
 */
export async function* csvSheet(bytes: Buffer): AsyncGenerator<RowBlock> {
  const decoded = toUtf8(bytes);
  const stated = excelDelimiterLine.exec(decoded.toString('latin1', 0, 8));
  const text = stated === null ? decoded : decoded.subarray(stated[0].length);
  const delimiter = stated?.[1] ?? delimiterOf(text);
  let firstRow = 1;
  for await (const rows of isUnquoted(text) ? unquotedRows(text, delimiter, sliceBytes) : quotedRows(text, delimiter)) {
    yield { firstRow, rows };
    firstRow += rows.length;
    await setImmediate(); // else a file would be read to its end before anything else of the process has a turn
  }
}

async function* quotedRows(text: Buffer, delimiter: string): AsyncGenerator<string[][]> {
  const parser = parse(parserOptions(delimiter));
  let rows: string[][] = [];
  let failure: Error | undefined;
  parser.on('data', (record: string[]) => rows.push(record));
  parser.on('error', (error) => (failure = error));

  const take = (): string[][] => {
    if (failure !== undefined) throw failure instanceof CsvError ? unreadable(failure, text, delimiter) : failure;
    const taken = rows;
    rows = [];
    return taken;
  };
  for (let offset = 0; offset < text.length; offset += sliceBytes) {
    await new Promise((written) => parser.write(text.subarray(offset, offset + sliceBytes), written));
    yield take();
  }
  await new Promise((ended) => parser.end(ended));
  yield take();
}
