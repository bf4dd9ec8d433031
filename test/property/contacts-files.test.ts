import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import XLSX from 'xlsx';
import { unbalancedQuoteLine } from '../../contacts/csv-quotes.js';
import { unquotedRows } from '../../contacts/csv-unquoted.js';
import { collectContacts, metadataOf } from '../unit/contacts/collect-contacts.js';

const number = (index: number): string => `+9198770${String(index).padStart(5, '0')}`;

const oddNames = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '0', '', 'name', 'é"\\,;\t');
const columnName = fc
  .oneof(oddNames, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }))
  .map((name) => name.replaceAll('\0', '').replaceAll('\u{feff}', '').trim())
  .filter((name) => name !== '' && name !== 'phone_number');
const cellText = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom('"', '""', '\n', '\r\n', 'a\nb', ' x ', '=1+1', "'", '\\', '{"a":1}', '\u{2028}', '😀', ',;\t'),
  )
  .map((text) => text.replaceAll('\0', ''));

/** Columns and rows of any text: none blank, for each has a number of its own. */
const table = fc.uniqueArray(columnName, { minLength: 1, maxLength: 6 }).chain((columns) =>
  fc.record({
    columns: fc.constant(columns),
    rows: fc.array(fc.array(cellText, { minLength: columns.length, maxLength: columns.length }), {
      minLength: 1,
      maxLength: 8,
    }),
  }),
);

/** What each row's metadata must be, as entries: an object literal would lose `__proto__`. */
const expected = (columns: readonly string[], rows: readonly (readonly string[])[]): unknown[] =>
  rows.map((cells) => Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ''])));

const cellsOf = (columns: readonly string[], rows: readonly (readonly string[])[]): string[][] => [
  [...columns, 'phone_number'],
  ...rows.map((cells, index) => [...cells, number(index)]),
];

// shows: rows.proto
test.each([',', ';', '\t'])('any text in any column survives a CSV file divided by %j', async (delimiter) => {
  await fc.assert(
    fc.asyncProperty(table, fc.boolean(), async ({ columns, rows }, quoted) => {
      const csv = stringify(cellsOf(columns, rows), { delimiter, quoted, quoted_match: /[\r"]/ });
      const { recipients } = await collectContacts(csv);
      expect(metadataOf(recipients)).toStrictEqual(expected(columns, rows));
      expect(recipients.map(({ row }) => row)).toEqual(rows.map((_, index) => index + 2));
    }),
    { numRuns: 150 },
  );
});

test('any text in any column survives an .xlsx file', async () => {
  // XML has no other control characters, and reads every line end as \n.
  const storable = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '');
  await fc.assert(
    fc.asyncProperty(table, async ({ columns, rows }) => {
      const names = [...new Set(columns.map((name) => storable(name).trim()))].filter((name) => name !== '');
      const texts = rows.map((cells) => cells.slice(0, names.length).map(storable));
      const book = XLSX.utils.book_new();
      XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(cellsOf(names, texts)));
      const { recipients } = await collectContacts(
        Buffer.from(XLSX.write(book, { type: 'array', bookType: 'xlsx', bookSST: true }) as ArrayBuffer),
        {},
        'xlsx',
      );
      expect(metadataOf(recipients)).toStrictEqual(expected(names, texts));
    }),
    { numRuns: 8 },
  );
});

test('text without quotes is split as a CSV parser splits it, wherever the slices end', () => {
  const text = fc.array(fc.constantFrom('a', ',', ';', '\n', '\r\n', '\r', 'é', ' ', '+91'), { maxLength: 60 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (pieces, sliceBytes) => {
      const bytes = Buffer.from(pieces.join(''));
      const parsed: string[][] = parse(bytes, { relax_column_count: true, record_delimiter: ['\r\n', '\n', '\r'] });
      expect([...unquotedRows(bytes, ',', sliceBytes)].flat()).toEqual(parsed);
    }),
    { numRuns: 3_000 },
  );
});

// shows: rows.quote
test('a quote is called unbalanced exactly if a CSV parser refuses one', () => {
  const text = fc.array(fc.constantFrom('a', '"', '"', ',', '\n', '\r\n'), { maxLength: 30 });
  fc.assert(
    fc.property(text, (pieces) => {
      const bytes = Buffer.from(pieces.join(''));
      let refused = false;
      try {
        parse(bytes, { relax_column_count: true, record_delimiter: ['\r\n', '\n', '\r'] });
      } catch {
        refused = true;
      }
      expect(unbalancedQuoteLine(bytes, ',') !== null).toBe(refused);
    }),
    { numRuns: 5_000 },
  );
});
