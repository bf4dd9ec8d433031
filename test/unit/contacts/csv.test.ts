import { describe, expect, test } from 'vitest';
import { collectContacts, metadataOf, parseErrorOf } from './collect-contacts.js';

const good = '+919877012345';

describe('what a CSV file may look like', () => {
  // shows: rows.delimiters
  test.each([
    ['commas', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('cells are divided by %s, found out from the header', async (_name, delimiter) => {
    const { recipients } = await collectContacts(
      [`name${delimiter}phone_number${delimiter}note`, `Asha${delimiter}${good}${delimiter}a b`].join('\r\n'),
    );
    expect(metadataOf(recipients)).toEqual([{ name: 'Asha', note: 'a b' }]);
  });

  test('commas inside a semicolon file do not mislead the delimiter', async () => {
    const { recipients } = await collectContacts(`phone_number;name, title;a, b, c\n${good};x, y;z`);
    expect(metadataOf(recipients)).toEqual([{ 'name, title': 'x, y', 'a, b, c': 'z' }]);
  });

  test("Excel's sep= line names the delimiter and is not a row", async () => {
    const { recipients } = await collectContacts(`sep=;\r\nphone_number;name\r\n${good};x\r\n`);
    expect(recipients).toEqual([{ row: 2, phoneNumber: good, metadataJson: '{"name":"x"}' }]);
  });

  const text = `phone_number,name\n${good},Zoë “Z” €5\n`;
  const utf16le = Buffer.from(text, 'utf16le');
  const windows1252 = Buffer.from(text.replace('“', '\x93').replace('”', '\x94').replace('€', '\x80'), 'latin1');
  // shows: rows.encodings
  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\u{feff}${text}`)],
    ['UTF-16 LE with a byte order mark', Buffer.from(`\u{feff}${text}`, 'utf16le')],
    ['UTF-16 BE with a byte order mark', Buffer.from(`\u{feff}${text}`, 'utf16le').swap16()],
    ['UTF-16 LE without a byte order mark', utf16le],
    ['UTF-16 BE without a byte order mark', Buffer.from(utf16le).swap16()],
    ['Windows-1252', windows1252],
  ])('%s is read', async (_name, bytes) => {
    const { recipients } = await collectContacts(bytes);
    expect(metadataOf(recipients)).toEqual([{ name: 'Zoë “Z” €5' }]);
  });

  // shows: rows.nul
  test('NULs are removed, wherever they are', async () => {
    const { recipients } = await collectContacts(`phone_\0number,na\0me\n+91987\x0070\x0012345,A\0sha`);
    expect(recipients).toEqual([{ row: 2, phoneNumber: good, metadataJson: '{"name":"Asha"}' }]);
  });

  test('quoted cells keep delimiters, line breaks and doubled quotes, and rows are numbered as a spreadsheet does', async () => {
    const { recipients } = await collectContacts(`phone_number,note\n"${good}","a, ""b""\nc"\n\n+919877012346,plain\n`);
    expect(recipients.map(({ row }) => row)).toEqual([2, 4]);
    expect(metadataOf(recipients)).toEqual([{ note: 'a, "b"\nc' }, { note: 'plain' }]);
  });

  test.each(['\n', '\r\n', '\r'])('lines end with %j', async (lineBreak) => {
    for (const cell of ['x', '"x"']) {
      const lines = ['phone_number,name', `${good},${cell}`, '', `+919877012346,${cell}`, ''];
      const { recipients } = await collectContacts(lines.join(lineBreak));
      expect(recipients.map(({ row }) => row)).toEqual([2, 4]);
      expect(metadataOf(recipients)).toEqual([{ name: 'x' }, { name: 'x' }]);
    }
  });

  test('blank rows are skipped and not counted, and rows keep their numbers', async () => {
    const { recipients, summary } = await collectContacts(
      `phone_number,name\n\n , \n${good},x\n,,\n\n+919877012346,y\n\n`,
    );
    expect(recipients.map(({ row }) => row)).toEqual([4, 7]);
    expect(summary.rows).toBe(2);
  });

  test('a row with fewer cells than the header has empty ones', async () => {
    const { recipients } = await collectContacts(`phone_number,a,b\n${good}\n`);
    expect(metadataOf(recipients)).toEqual([{ a: '', b: '' }]);
  });
});

describe('a quote that is not balanced names its line', () => {
  // shows: rows.quote
  test('a cell that is never closed', async () => {
    const file = `phone_number,note\n${good},"two\nlines"\n+919877012346,"open\n+919877012347,x\n`;
    await expect(parseErrorOf(file)).resolves.toMatch(/quote .* unbalanced on line 4\b/);
  });

  test('a quote in the middle of a cell', async () => {
    await expect(parseErrorOf(`phone_number,note\n${good},x\n${good},5" pipe\n`)).resolves.toMatch(/on line 3\b/);
  });

  test('far into a file, after rows that were good', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `+9198770${String(index).padStart(5, '0')},"n"`);
    const file = ['phone_number,note', ...rows, '+919877012345,"open', ''].join('\r\n');
    await expect(parseErrorOf(file)).resolves.toMatch(/on line 20002\b/);
  });

  test('in the header', async () => {
    await expect(parseErrorOf(`phone_number,"note\n${good},x`)).resolves.toMatch(/on line 1\b/);
  });
});

describe('the header', () => {
  // shows: batch.create.header
  test.each([' phone_number ', '\u{feff}phone_number', '"phone_number"', '\u{200b}phone_number\u{202c}'])(
    '%j is phone_number',
    async (name) => {
      const { recipients } = await collectContacts(`${name}\n${good}\n`);
      expect(recipients).toHaveLength(1);
    },
  );

  // shows: rows.near-miss
  test.each([
    'Phone Number',
    'phone number',
    'PHONE_NUMBER',
    'Phone-Number',
    'phonenumber',
    'phone_numbr',
    'Phone',
    'Mobile No.',
  ])('%j is a near miss, and named', async (name) => {
    await expect(parseErrorOf(`name,${name}\nx,${good}\n`)).resolves.toContain(
      `found "${name}"; rename it to phone_number`,
    );
  });

  test('of several near misses the nearest is named', async () => {
    await expect(parseErrorOf(`Mobile,Phone Number\n1,2\n`)).resolves.toContain('found "Phone Number"');
  });

  // shows: batch.create.header
  test('without a phone_number column, what is there is named', async () => {
    await expect(parseErrorOf(`name,city\nx,y\n`)).resolves.toMatch(/no phone_number column.*"name", "city"/);
  });

  test('a file that starts with a number has no header', async () => {
    await expect(parseErrorOf(`${good}\n+919877012346\n`)).resolves.toMatch(/no header/);
  });

  test.each([
    ['', /empty/],
    ['\u{feff}', /no header/],
    [' , \n', /no header/],
    [`\nphone_number\n${good}`, /no header/],
  ])('%j has none', async (file, words) => {
    await expect(parseErrorOf(file)).resolves.toMatch(words);
  });

  // shows: rows.columns
  test('the same column twice is named with both places', async () => {
    await expect(parseErrorOf(`phone_number,name, name\n${good},x,y`)).resolves.toMatch(/"name".*columns B and C/);
    await expect(parseErrorOf(`phone_number,phone_number\n${good},${good}`)).resolves.toContain('"phone_number"');
  });

  test('names that differ in case are different columns', async () => {
    const { recipients } = await collectContacts(`phone_number,Name,name\n${good},x,y`);
    expect(metadataOf(recipients)).toEqual([{ Name: 'x', name: 'y' }]);
  });

  // shows: rows.blank-header
  test('a blank header over data is named; over nothing it is ignored', async () => {
    await expect(parseErrorOf(`phone_number,,name\n${good},,x\n+919877012346,lost,x`)).resolves.toMatch(
      /Row 3 .*column B.*blank header/,
    );
    await expect(parseErrorOf(`phone_number,name\n${good},x,lost`)).resolves.toMatch(/Row 2 .*column C/);
    const { recipients, summary } = await collectContacts(`phone_number,,name,,\n${good},,x,,,\n`);
    expect(metadataOf(recipients)).toEqual([{ name: 'x' }]);
    expect(summary.columns).toEqual(['phone_number', 'name']);
  });

  // shows: rows.columns
  test('200 columns are accepted, 201 are not', async () => {
    const columns = (count: number) => [
      'phone_number',
      ...Array.from({ length: count - 1 }, (_, index) => `c${index}`),
    ];
    const { summary } = await collectContacts(`${columns(200).join(',')},,\n${good}\n`);
    expect(summary.columns).toHaveLength(200);
    await expect(parseErrorOf(`${columns(201).join(',')}\n${good}\n`)).resolves.toMatch(/more than 200 columns/);
  });
});

describe('a file without anyone to call is unusable', () => {
  // shows: rows.unusable
  test('no rows at all', async () => {
    await expect(parseErrorOf('phone_number\n')).resolves.toMatch(/no rows below the header/);
  });

  // shows: rows.unusable
  test('only bad rows', async () => {
    await expect(parseErrorOf('phone_number\nx\ny\n')).resolves.toMatch(/No row can be called: all 2 rows/);
  });

  // shows: rows.plus-hint
  test('only numbers without +, which it says', async () => {
    await expect(parseErrorOf('phone_number\n919877012345\n919877012346\n')).resolves.toMatch(
      /2 of 2 rows have a number without \+.*missingPlus=add/,
    );
  });

  test('a workbook named .csv', async () => {
    await expect(parseErrorOf(Buffer.from('PK\x03\x04 and more'))).resolves.toMatch(/Excel workbook named \.csv/);
  });
});
