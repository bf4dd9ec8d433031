import { describe, expect, test } from 'vitest';
import XLSX from 'xlsx';
import { collectContacts, metadataOf, parseErrorOf } from './collect-contacts.js';

type Format = 'xlsx' | 'biff8';
type Cells = readonly (readonly (string | number | boolean | null)[])[];

const formats: readonly (readonly ['xlsx' | 'xls', Format])[] = [
  ['xlsx', 'xlsx'],
  ['xls', 'biff8'],
];
/** The part of the reader's container functions that the tests use; its own types leave them open. */
interface ContainerFunctions {
  readonly read: (bytes: Buffer, options: { type: 'buffer' }) => object;
  readonly write: (container: object, options: { type: 'buffer'; fileType?: 'zip' }) => Uint8Array;
  readonly find: (container: object, path: string) => { readonly content: Uint8Array } | null;
  readonly utils: {
    readonly cfb_new: () => object;
    readonly cfb_del: (container: object, path: string) => void;
    readonly cfb_add: (container: object, path: string, content: Buffer) => void;
  };
}
const cfb = XLSX.CFB as ContainerFunctions;

const good = '+919877012345';

function workbook(
  sheet: XLSX.WorkSheet,
  format: Format,
  adjust: (book: XLSX.WorkBook) => void = () => undefined,
): Buffer {
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, sheet, 'People');
  adjust(book);
  return Buffer.from(XLSX.write(book, { type: 'array', bookType: format, compression: true }) as ArrayBuffer);
}

const sheetOf = (cells: Cells): XLSX.WorkSheet => XLSX.utils.aoa_to_sheet(cells.map((row) => [...row]));

/** A sheet of one person whose second column holds the given cell. */
function sheetWith(cell: XLSX.CellObject): XLSX.WorkSheet {
  const sheet = sheetOf([
    ['phone_number', 'value'],
    [good, ''],
  ]);
  sheet.B2 = cell;
  return sheet;
}

// shows: batch.create.types
test('csv, xls and xlsx of the same rows give the same recipients, rejected and corrected rows', async () => {
  const cells: Cells = [
    ['phone_number', 'name', 'note', 'count'],
    [good, 'Asha', 'a, "b"\nc', '7'],
    ['+91 98770 12346', 'Zoë €', '', '0.5'],
    [null, null, null, null],
    ['919877012347', 'lacks +', ' spaced ', '1'],
    ['9.19877E+11', 'lost', '', '1'],
    [null, 'nobody', '', '1'],
    [good, 'Asha', 'a, "b"\nc', '7'],
    [good, 'Ravi', '', '42'],
  ];
  const quoted = cells.map((row) => row.map((cell) => `"${String(cell ?? '').replaceAll('"', '""')}"`).join(','));
  const fromCsv = await collectContacts(quoted.join('\r\n'));
  expect(fromCsv.recipients).toHaveLength(3);
  expect(fromCsv.rejected).toHaveLength(4);
  for (const [extension, format] of formats) {
    expect(await collectContacts(workbook(sheetOf(cells), format), {}, extension)).toEqual(fromCsv);
  }
});

/** What a cell is, how a workbook stores it, and the text it becomes: each text once, for identical rows are skipped. */
const storedCells: readonly (readonly [string, XLSX.CellObject, string])[] = [
  ['a whole number', { t: 'n', v: 42 }, '42'],
  ['a number shown rounded', { t: 'n', v: 1234.5678, z: '#,##0' }, '1234.5678'],
  ['a percentage', { t: 'n', v: 0.25, z: '0%' }, '0.25'],
  ['a large number', { t: 'n', v: 1.5e22 }, '15000000000000000000000'],
  ['a small number', { t: 'n', v: -1.25e-7 }, '-0.000000125'],
  ['a date', { t: 'n', v: 45992, z: 'yyyy-mm-dd' }, '2025-12-01'],
  ['a date shown the American way', { t: 'n', v: 45993, z: 'm/d/yy' }, '2025-12-02'],
  ['a date and time', { t: 'n', v: 45992.5, z: 'm/d/yy h:mm' }, '2025-12-01T12:00:00'],
  ['a time', { t: 'n', v: 0.75, z: 'h:mm' }, '18:00:00'],
  ['a length of time', { t: 'n', v: 1.0625, z: '[h]:mm' }, '25:30:00'],
  ['the last day before the 29 February 1900 that never was', { t: 'n', v: 59, z: 'yyyy-mm-dd' }, '1900-02-28'],
  ['the first day after it', { t: 'n', v: 61, z: 'yyyy-mm-dd' }, '1900-03-01'],
  ['true', { t: 'b', v: true }, 'TRUE'],
  ['false', { t: 'b', v: false }, 'FALSE'],
  ['an error', { t: 'e', v: 42 }, '#N/A'],
  ['a formula, as the value stored with it', { t: 'n', v: 3, f: '1+1' }, '3'],
  ['text with spaces around', { t: 's', v: '  x ' }, '  x '],
];

describe.each(formats)('an %s file', (extension, format) => {
  const read = (sheet: XLSX.WorkSheet, adjust?: (book: XLSX.WorkBook) => void) =>
    collectContacts(workbook(sheet, format, adjust), {}, extension);

  // shows: rows.excel
  test('a number typed into Excel has lost its + and nothing else, however it is shown', async () => {
    const sheet = sheetOf([['phone_number'], [good], [919877012345], ['9.19877E+11']]);
    sheet.A3 = { t: 'n', v: 919877012345, z: '0.00E+00', w: '9.20E+11' };
    const { rejected } = await read(sheet);
    expect(rejected.map(({ row, value, reason }) => [row, value, reason])).toEqual([
      [3, '919877012345', 'missing_plus'],
      [4, '9.19877E+11', 'excel_number'],
    ]);
  });

  // shows: rows.values
  test('cells are read as they are stored: plain decimals, ISO dates, the value of a formula', async () => {
    const sheet = sheetOf([['phone_number', 'value'], ...storedCells.map(() => [good])]);
    storedCells.forEach(([, cell], index) => {
      sheet[`B${index + 2}`] = cell;
    });
    sheet['!ref'] = `A1:B${storedCells.length + 1}`;
    const { recipients } = await read(sheet);
    const texts = new Map(
      recipients.map(({ row, metadataJson }): [number, unknown] => [row, JSON.parse(metadataJson)]),
    );
    expect(storedCells.map(([name], index) => [name, texts.get(index + 2)])).toEqual(
      storedCells.map(([name, , text]) => [name, { value: text }]),
    );
  });

  test('dates of a workbook that counts from 1904', async () => {
    const { recipients } = await read(sheetWith({ t: 'n', v: 44530, z: 'yyyy-mm-dd' }), (book) => {
      book.Workbook = { WBProps: { date1904: true } };
    });
    expect(metadataOf(recipients)).toEqual([{ value: '2025-12-01' }]);
  });

  // shows: rows.first-sheet
  test('the first sheet counts, and no other', async () => {
    const { recipients } = await read(sheetOf([['phone_number'], [good]]), (book) => {
      XLSX.utils.book_append_sheet(book, sheetOf([['phone_number'], ['+919877012399']]), 'Archive');
    });
    expect(recipients.map(({ phoneNumber }) => phoneNumber)).toEqual([good]);
  });

  test('a first sheet without the numbers is named, beside the others that are shown', async () => {
    const bytes = workbook(sheetOf([['Read me first']]), format, (book) => {
      for (const name of ['Patients', 'Hidden', 'Old']) XLSX.utils.book_append_sheet(book, sheetOf([['x']]), name);
      book.Workbook = { Sheets: [0, 0, 1, 0].map((Hidden) => ({ Hidden }) as XLSX.SheetProps) };
    });
    await expect(parseErrorOf(bytes, extension)).resolves.toBe(
      'There is no phone_number column: the first row names "Read me first". Name the column that holds the phone numbers ' +
        'phone_number. Only the first sheet is read, which is "People": if the numbers are on another one ("Patients", "Old"), ' +
        'move that to the front.',
    );
    const alone = workbook(sheetOf([['Read me first']]), format);
    await expect(parseErrorOf(alone, extension)).resolves.not.toMatch(/sheet/);
  });

  test.each([1, 2] as const)(
    'a first sheet that is hidden (%i) does not count: nobody is called who is not to be seen',
    async (how) => {
      const { recipients } = await read(sheetOf([['phone_number'], ['+919877012399']]), (book) => {
        XLSX.utils.book_append_sheet(book, sheetOf([['phone_number'], [good]]), 'Shown');
        book.Workbook = { Sheets: [{ Hidden: how }, { Hidden: 0 }] };
      });
      expect(recipients.map(({ phoneNumber }) => phoneNumber)).toEqual([good]);
    },
  );

  test('a file of more rows than one block keeps their order and numbers', async () => {
    const numbers = Array.from({ length: 4_500 }, (_, index) => `+91987701${String(index).padStart(4, '0')}`);
    const { recipients } = await read(sheetOf([['phone_number'], ...numbers.map((number) => [number])]));
    expect(recipients.map(({ phoneNumber }) => phoneNumber)).toEqual(numbers);
    expect(recipients.map(({ row }) => row)).toEqual(numbers.map((_, index) => index + 2));
  });

  test('an empty first sheet, and a blank first row, have no header', async () => {
    await expect(parseErrorOf(workbook(sheetOf([]), format), extension)).resolves.toMatch(/no header/);
    const lower = sheetOf([[null], ['phone_number'], [good]]);
    await expect(parseErrorOf(workbook(lower, format), extension)).resolves.toMatch(/no header/);
  });

  test('200 columns are accepted, 201 are not, and neither is data far to the right', async () => {
    const header = (count: number) => ['phone_number', ...Array.from({ length: count - 1 }, (_, index) => `c${index}`)];
    const { summary } = await read(sheetOf([header(200), [good]]));
    expect(summary.columns).toHaveLength(200);
    const tooMany = workbook(sheetOf([header(201), [good]]), format);
    await expect(parseErrorOf(tooMany, extension)).resolves.toMatch(/more than 200 columns/);
    const stray = workbook(sheetOf([['phone_number'], [good, ...Array<null>(249).fill(null), 'stray']]), format);
    await expect(parseErrorOf(stray, extension)).resolves.toMatch(/Row 2 .*200 columns/);
  });

  test('a blank header over data is named', async () => {
    const bytes = workbook(
      sheetOf([
        ['phone_number', null, 'name'],
        [good, 'lost', 'x'],
      ]),
      format,
    );
    await expect(parseErrorOf(bytes, extension)).resolves.toMatch(/Row 2 .*column B.*blank header/);
  });

  test('a damaged file is unusable', async () => {
    const bytes = workbook(sheetOf([['phone_number'], [good]]), format);
    await expect(parseErrorOf(bytes.subarray(0, bytes.length / 2), extension)).resolves.toMatch(/cannot be read/);
  });

  test('wherever a file is cut off, nothing is said that is about the reader and not about the file', async () => {
    const bytes = workbook(sheetOf([['phone_number'], [good]]), format);
    const cuts = Array.from({ length: 12 }, (_, place) => Math.floor((bytes.length * (place + 1)) / 13));
    for (const cut of cuts) {
      const said = await parseErrorOf(bytes.subarray(0, cut), extension);
      expect({ cut, said }).toMatchObject({ said: expect.not.stringMatching(/undefined|null|function|of bounds/) });
    }
  });

  test('a file that is no workbook at all is unusable', async () => {
    await expect(parseErrorOf(`phone_number\n${good}`, extension)).resolves.toMatch(/not an Excel workbook/);
    await expect(parseErrorOf('<table><tr><td>phone_number</td></tr></table>', extension)).resolves.toMatch(/not an/);
  });
});

// shows: rows.first-sheet
test('a chart on a sheet of its own before the people does not count', async () => {
  const both = workbook(sheetOf([['phone_number'], ['+919877012399']]), 'xlsx', (book) => {
    XLSX.utils.book_append_sheet(book, sheetOf([['phone_number'], [good]]), 'Second');
  });
  const container = cfb.read(both, { type: 'buffer' });
  cfb.utils.cfb_del(container, '/xl/worksheets/sheet1.xml');
  cfb.utils.cfb_add(container, '/xl/chartsheets/sheet1.xml', Buffer.from('<chartsheet/>'));
  const path = '/xl/_rels/workbook.xml.rels';
  const relations = Buffer.from(cfb.find(container, path)?.content ?? []).toString();
  cfb.utils.cfb_add(container, path, Buffer.from(relations.replace('worksheets/sheet1', 'chartsheets/sheet1')));
  const file = Buffer.from(cfb.write(container, { type: 'buffer', fileType: 'zip' }));
  const { recipients } = await collectContacts(file, {}, 'xlsx');
  expect(recipients.map(({ phoneNumber }) => phoneNumber)).toEqual([good]);
});

describe('a workbook that a password protects is named as encrypted', () => {
  // shows: rows.encrypted
  test('.xlsx, an OLE container around the encrypted package', async () => {
    const container = cfb.utils.cfb_new();
    const info = Buffer.alloc(64);
    info.writeUInt16LE(4, 0); // agile encryption, version 4.4
    info.writeUInt16LE(4, 2);
    info.writeUInt32LE(0x40, 4);
    info.write('<encryption/>', 8);
    cfb.utils.cfb_add(container, '/EncryptionInfo', info);
    cfb.utils.cfb_add(container, '/EncryptedPackage', Buffer.alloc(4096, 7));
    const bytes = Buffer.from(cfb.write(container, { type: 'buffer' }));
    await expect(parseErrorOf(bytes, 'xlsx')).resolves.toMatch(/encrypted.*without a password/);
  });

  // shows: rows.encrypted
  test('.xls, with a FilePass record', async () => {
    const plain = workbook(sheetOf([['phone_number'], [good]]), 'biff8');
    const container = cfb.read(plain, { type: 'buffer' });
    const stream = cfb.find(container, 'Workbook');
    const content = Buffer.from(stream?.content ?? []);
    const bofBytes = 4 + content.readUInt16LE(2);
    const filePass = Buffer.alloc(4 + 54);
    filePass.writeUInt16LE(0x2f, 0);
    filePass.writeUInt16LE(54, 2);
    filePass.writeUInt16LE(1, 4); // RC4
    filePass.writeUInt16LE(1, 6);
    filePass.writeUInt16LE(1, 8);
    const protectedBook = cfb.utils.cfb_new();
    cfb.utils.cfb_add(
      protectedBook,
      '/Workbook',
      Buffer.concat([content.subarray(0, bofBytes), filePass, content.subarray(bofBytes)]),
    );
    const bytes = Buffer.from(cfb.write(protectedBook, { type: 'buffer' }));
    await expect(parseErrorOf(bytes, 'xls')).resolves.toMatch(/encrypted.*without a password/);
  });
});
