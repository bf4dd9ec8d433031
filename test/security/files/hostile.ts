import { workbookOf, workbookParts, zipOf } from './zip.js';

/** A file made to do harm. */
export interface HostileFile {
  readonly name: string;
  readonly extension: 'csv' | 'xls' | 'xlsx';
  readonly make: () => Buffer;
  /** Reading it takes seconds, by its nature, or another file tries the same at less cost. */
  readonly isSlow: boolean;
}

const most = 5_242_880;
const number = (index: number): string => `+9198770${String(index).padStart(5, '0')}`;
const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const shared = (index: number): string => `<c t="s"><v>${index}</v></c>`;
const sheet = (rows: string, more = ''): string => `<worksheet><sheetData>${rows}</sheetData>${more}</worksheet>`;
const header = `<row>${text('phone_number')}${text('note')}</row>`;
const repeat = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => of(i)).join('');
const MB = 1024 * 1024;

const workbooks: readonly (readonly [string, () => Buffer])[] = [
  [
    'one shared string of 2.2 MB, named by 2,000 rows',
    () =>
      workbookOf(sheet(header + repeat(2_000, (i) => `<row>${text(number(i))}${shared(0)}</row>`)), [
        'x'.repeat(2.2 * MB),
      ]),
  ],
  [
    'one shared string of 60 MB, named by 2,000 rows',
    () =>
      workbookOf(sheet(header + repeat(2_000, (i) => `<row>${text(number(i))}${shared(0)}</row>`)), [
        'x'.repeat(60 * MB),
      ]),
  ],
  [
    'one shared string of 32,000 characters, named by 190 columns of 3,000 rows',
    () =>
      workbookOf(
        sheet(
          `<row>${text('phone_number')}${repeat(190, (i) => text(`c${i}`))}</row>` +
            repeat(3_000, (i) => `<row>${text(number(i))}${shared(0).repeat(190)}</row>`),
        ),
        ['é'.repeat(32_000)],
      ),
  ],
  [
    'an inline string of 40 MB in the number column',
    () => workbookOf(sheet(`${header}<row>${text('7'.repeat(40 * MB))}</row>`)),
  ],
  ['a column name of 40 MB', () => workbookOf(sheet(`<row>${text('phone_number')}${text('n'.repeat(40 * MB))}</row>`))],
  ['a million empty rows', () => workbookOf(sheet(header + '<row/>'.repeat(1_048_000)))],
  ['three million empty cells', () => workbookOf(sheet(header + `<row>${'<c/>'.repeat(200)}</row>`.repeat(15_000)))],
  [
    'three million cells that hold a truth value',
    () => workbookOf(sheet(`<row>${'<c t="b"><v>1</v></c>'.repeat(190)}</row>`.repeat(15_000))),
  ],
  [
    '16,384 columns',
    () => workbookOf(sheet(`${header}<row>${'<c t="b"><v>1</v></c>'.repeat(16_384)}</row>`.repeat(60))),
  ],
  [
    'a cell in the last row and the last column there are',
    () => workbookOf(sheet(`${header}<row r="1048576"><c r="XFD1048576" t="b"><v>1</v></c></row>`)),
  ],
  [
    'rows and columns far beyond what a sheet can have',
    () => workbookOf(sheet(`${header}<row r="999999999"><c r="ZZZZZZ999999999" t="b"><v>1</v></c></row>`)),
  ],
  [
    'a million merged cells',
    () =>
      workbookOf(
        sheet(header, `<mergeCells>${repeat(1_000_000, (i) => `<mergeCell ref="A${i}:XFD${i + 9}"/>`)}</mergeCells>`),
      ),
  ],
  [
    'formulas of 100 KB',
    () => workbookOf(sheet(header + repeat(500, () => `<row><c><f>${'(1+'.repeat(30_000)}</f><v>1</v></c></row>`))),
  ],
  [
    'half a million styles',
    () =>
      workbookOf(sheet(header), [], {
        'xl/styles.xml': `<styleSheet><numFmts>${repeat(500_000, (i) => `<numFmt numFmtId="${i}" formatCode="[h]0.0${i}"/>`)}</numFmts></styleSheet>`,
      }),
  ],
  [
    'entities that name each other',
    () =>
      workbookOf(
        `<!DOCTYPE a [<!ENTITY a0 "ha">${repeat(30, (i) => `<!ENTITY a${i + 1} "&a${i};&a${i};">`)}]>` +
          sheet(`${header}<row>${text('&a30;')}</row>`),
      ),
  ],
  ['tags nested a million deep', () => workbookOf(sheet('<row><c>'.repeat(1_000_000)))],
  ['tags that are never closed', () => workbookOf(`<worksheet><sheetData>${'<row><c t="s"'.repeat(1_500_000)}`)],
  [
    'a workbook inside a workbook inside a workbook',
    () => {
      let inner = zipOf(workbookParts(sheet(header)));
      for (let depth = 0; depth < 50; depth += 1) {
        inner = zipOf([...workbookParts(sheet(header)), { name: `xl/worksheets/inner${depth}.xml`, content: inner }]);
      }
      return inner;
    },
  ],
  [
    'half a million different strings',
    () =>
      workbookOf(sheet(header + repeat(250_000, (i) => `<row>${text(number(i % 99_999))}${text(String(i))}</row>`))),
  ],
  ['a part of 63 MB of one tag', () => workbookOf(sheet('<c/>'.repeat(15 * MB)))],
];

const texts: readonly (readonly [string, () => Buffer])[] = [
  ['carriage returns only', () => Buffer.alloc(most, '\r')],
  ['line feeds only', () => Buffer.alloc(most, '\n')],
  ['five million columns', () => Buffer.alloc(most, ',')],
  ['five million columns in quotes', () => Buffer.from(`"phone_number"${','.repeat(most - 20)}`)],
  ['one cell', () => Buffer.alloc(most, 'x')],
  ['a quote that is never closed', () => Buffer.from(`phone_number\n"${'x\n'.repeat(2_600_000)}`)],
  ['quotes only', () => Buffer.alloc(most, '"')],
  ['two and a half million rows of one letter', () => Buffer.from(`phone_number\n${'x\n'.repeat(2_600_000)}`)],
  ['a million rows of one letter', () => Buffer.from(`phone_number\n${'xy\n'.repeat(1_000_000)}`)],
  [
    'half a million rows of 200 empty cells',
    () => Buffer.from(`phone_number${repeat(199, (i) => `,c${i}`)}\n${`${','.repeat(199)}\n`.repeat(26_000)}`),
  ],
  [
    'a long column name over every row',
    () =>
      Buffer.from(
        `phone_number,${'n'.repeat(990)}\n${repeat(330_000, (i) => `+1555${1_000_000 + i},\n`).slice(0, most - 1_100)}`,
      ),
  ],
  ['numbers of a million digits', () => Buffer.from(`phone_number\n${`+${'1'.repeat(1_000_000)}\n`.repeat(5)}`)],
  ['NULs', () => Buffer.alloc(most)],
];

const slow: ReadonlySet<string> = new Set([
  'three million cells that hold a truth value',
  'half a million different strings',
  'a million merged cells',
  'five million columns in quotes',
  'half a million styles',
  'rows and columns far beyond what a sheet can have',
  // What these try, another file here or one of zip-bombs.test.ts tries as well.
  'a long column name over every row',
  'a million rows of one letter',
  'one shared string of 32,000 characters, named by 190 columns of 3,000 rows',
  '16,384 columns',
  'a part of 63 MB of one tag',
]);

/** What a tenant may upload as a file of recipients or of numbers, each at most 5 MB. */
export const hostileFiles: readonly HostileFile[] = [
  ...workbooks.map(([name, make]) => ({ name, extension: 'xlsx' as const, make })),
  ...texts.map(([name, make]) => ({ name, extension: 'csv' as const, make })),
].map((file) => ({ ...file, isSlow: slow.has(file.name) }));
