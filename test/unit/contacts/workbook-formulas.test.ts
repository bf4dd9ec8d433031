import { expect, test } from 'vitest';
import XLSX from 'xlsx';
import { readNumbers } from '../../../contacts/read-numbers.js';
import { collectContacts } from './collect-contacts.js';

/** The part of the reader's container functions that the tests use; its own types leave them open. */
interface ContainerFunctions {
  readonly read: (bytes: Buffer, options: { type: 'buffer' }) => object;
  readonly write: (container: object, options: { type: 'buffer'; fileType: 'zip' }) => Uint8Array;
  readonly utils: { readonly cfb_add: (container: object, path: string, content: Buffer) => void };
}
const cfb = XLSX.CFB as ContainerFunctions;

const good = '+919877012345';

const text = (place: string, value: string): string => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;

/** A workbook as a program writes it that calculates nothing: the rows as XML, from row 1 on. */
function written(...rows: readonly string[]): Buffer {
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['']]), 'People');
  const container = cfb.read(Buffer.from(XLSX.write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer), {
    type: 'buffer',
  });
  const sheet =
    '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>' +
    `${rows.map((cells, index) => `<row r="${index + 1}">${cells}</row>`).join('')}</sheetData></worksheet>`;
  cfb.utils.cfb_add(container, '/xl/worksheets/sheet1.xml', Buffer.from(sheet));
  return Buffer.from(cfb.write(container, { type: 'buffer', fileType: 'zip' }));
}

const unsavedRow = expect.objectContaining({
  value: '',
  reason: 'unsaved_formula',
  message: expect.stringMatching(
    /does not hold its result\. Open the file in a spreadsheet program, save it/,
  ) as string,
}) as unknown;

/** Ways in which programs that calculate nothing write a formula. */
const formulas = [
  '<c r="A2"><f>B2</f></c>',
  '<c r="A2"><f>B2</f><v></v></c>',
  '<c r="A2"><f>B2</f><v/></c>',
  '<c r="A2"><f>B2</f><v /></c>',
  '<c r="A2" t="n" s="0"><f>"+"&amp;B2</f></c>',
];

// shows: rows.formula
test.each(formulas)('%s in the phone_number column is rejected as a formula without its result', async (formula) => {
  const file = written(
    text('A1', 'phone_number') + text('B1', 'digits'),
    formula + text('B2', '919877012345'),
    text('A3', good),
  );
  const { recipients, rejected } = await collectContacts(file, {}, 'xlsx');
  expect(recipients.map(({ phoneNumber }) => phoneNumber)).toEqual([good]);
  expect(rejected).toEqual([unsavedRow]);
  expect(rejected[0]?.row).toBe(2);
});

test('a row that has nothing but such a formula is no blank row: nobody is lost in silence', async () => {
  const file = written(text('A1', 'phone_number'), '<c r="A2"><f>"+91"&amp;9877012345</f></c>', text('A3', good));
  const { rejected, summary } = await collectContacts(file, {}, 'xlsx');
  expect(summary).toMatchObject({ rows: 2, recipients: 1, rejected: 1 });
  expect(rejected).toEqual([unsavedRow]);
});

test('each cell of a formula that several share is rejected, and each that has its result is read', async () => {
  const file = written(
    text('A1', 'phone_number'),
    '<c r="A2"><f t="shared" ref="A2:A4" si="0">B2</f></c>',
    '<c r="A3"><f t="shared" si="0"/></c>',
    `<c r="A4" t="str"><f t="shared" si="0"/><v>${good}</v></c>`,
  );
  const { recipients, rejected } = await collectContacts(file, {}, 'xlsx');
  expect(rejected.map(({ row, reason }) => [row, reason])).toEqual([
    [2, 'unsaved_formula'],
    [3, 'unsaved_formula'],
  ]);
  expect(recipients.map(({ row }) => row)).toEqual([4]);
});

test('a formula whose stored result is an empty text or 0 has one', async () => {
  const file = written(
    text('A1', 'phone_number') + text('B1', 'count'),
    '<c r="A2" t="str"><f>IF(B2="","",B2)</f><v></v></c>',
    `${text('A3', good)}<c r="B3"><f>1-1</f><v>0</v></c>`,
    '<c r="A4"><f>B4</f></c>',
  );
  const { recipients, rejected, summary } = await collectContacts(file, {}, 'xlsx');
  expect(summary.rows).toBe(2);
  expect(recipients.map(({ metadataJson }) => JSON.parse(metadataJson) as unknown)).toEqual([{ count: '0' }]);
  expect(rejected.map(({ row, reason }) => [row, reason])).toEqual([[4, 'unsaved_formula']]);
});

test('such a formula in another column, under no header, or in the header is empty, as it is shown', async () => {
  const file = written(
    `${text('A1', 'phone_number')}${text('B1', 'name')}<c r="C1"><f>"note"</f></c>`,
    `${text('A2', good)}<c r="B2"><f>PROPER("asha")</f></c><c r="C2"><f>1+1</f></c>`,
    '<c r="B3"><f>PROPER("")</f></c>',
  );
  const { recipients, rejected } = await collectContacts(file, {}, 'xlsx');
  expect(rejected).toEqual([]);
  expect(recipients.map(({ metadataJson }) => JSON.parse(metadataJson) as unknown)).toEqual([{ name: '' }]);
});

test('a file for the do-not-call list says the same', async () => {
  const file = written(text('A1', 'phone_number'), '<c r="A2"><f>B2</f></c>', text('A3', good));
  expect(await readNumbers(file, 'xlsx', { missingPlus: 'reject', mostListed: 10 })).toEqual({
    numbers: [good],
    rejected: 1,
    firstRejected: [unsavedRow],
  });
});
