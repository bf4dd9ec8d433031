import { describe, expect, test } from 'vitest';
import { maxUnpackedBytes } from '../../contacts/workbook-archive.js';
import { contactsOfFile } from '../../contacts/read-apart.js';
import type { FileExtension } from '../../contacts/contacts.js';
import { UnusableFile } from '../../contacts/unusable-file.js';
import { type Part, workbookOf, zipOf } from './files/zip.js';

/** What the owner of a file is told by those who read it in a process of its own. */
async function parseErrorOf(file: Buffer | string, extension: FileExtension = 'csv'): Promise<string> {
  try {
    const options = { duplicates: 'call', missingPlus: 'reject' } as const;
    const { chunks } = contactsOfFile(Buffer.from(file), extension, options);
    const walk = chunks[Symbol.asyncIterator]();
    while ((await walk.next()).done !== true);
  } catch (error) {
    if (error instanceof UnusableFile) return error.message;
    throw error;
  }
  throw new Error('The file was accepted.');
}

const contentTypes: Part = {
  name: '[Content_Types].xml',
  content: Buffer.from('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
};
const megabytes = (count: number): Buffer => Buffer.alloc(count * 1024 * 1024, '<row/>');

describe('a zip bomb ends in a parse error before it is unpacked', () => {
  // shows: rows.zip-bomb
  test('one sheet that unpacks to a hundred megabytes', async () => {
    const bytes = zipOf([contentTypes, { name: 'xl/worksheets/sheet1.xml', content: megabytes(100) }]);
    expect(bytes.length).toBeLessThan(5 * 1024 * 1024);
    const before = process.memoryUsage().rss;
    await expect(parseErrorOf(bytes, 'xlsx')).resolves.toMatch(/zip bomb/);
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024);
  });

  test('many parts, each of a harmless size', async () => {
    const part = megabytes(10);
    const parts = Array.from({ length: 7 }, (_, index) => ({ name: `xl/worksheets/sheet${index}.xml`, content: part }));
    await expect(parseErrorOf(zipOf([contentTypes, ...parts]), 'xlsx')).resolves.toMatch(/zip bomb/);
  });

  // shows: rows.zip-bomb
  test('parts that are not read count too', async () => {
    const bytes = zipOf([contentTypes, { name: 'xl/media/image1.png', content: megabytes(65) }]);
    await expect(parseErrorOf(bytes, 'xlsx')).resolves.toMatch(/zip bomb/);
  });

  test('a part that is larger than the archive says', async () => {
    const bytes = zipOf([
      contentTypes,
      { name: 'xl/worksheets/sheet1.xml', content: megabytes(100), statedBytes: 1_000 },
    ]);
    await expect(parseErrorOf(bytes, 'xlsx')).resolves.toMatch(/cannot be read/);
  });

  test('thousands of parts', async () => {
    const parts = Array.from({ length: 3_000 }, (_, index) => ({ name: `xl/${index}.xml`, content: Buffer.alloc(0) }));
    await expect(parseErrorOf(zipOf([contentTypes, ...parts]), 'xlsx')).resolves.toMatch(/zip bomb/);
  });

  test('called .xls, it is a zip bomb all the same', async () => {
    const bytes = zipOf([contentTypes, { name: 'xl/worksheets/sheet1.xml', content: megabytes(65) }]);
    await expect(parseErrorOf(bytes, 'xls')).resolves.toMatch(/zip bomb/);
  });

  test('an archive just within the limit is let through to the reader', async () => {
    const bytes = zipOf([
      contentTypes,
      { name: 'xl/media/image1.png', content: Buffer.alloc(maxUnpackedBytes - contentTypes.content.length) },
    ]);
    await expect(parseErrorOf(bytes, 'xlsx')).resolves.not.toMatch(/zip bomb/);
    const beyond = zipOf([
      contentTypes,
      { name: 'xl/media/image1.png', content: Buffer.alloc(maxUnpackedBytes - contentTypes.content.length + 1) },
    ]);
    await expect(parseErrorOf(beyond, 'xlsx')).resolves.toMatch(/zip bomb/);
  });
});

const longText = 'x'.repeat(16_000);
const manyRows = 18_000;
const numberOf = (index: number): string => `+9198770${String(index).padStart(5, '0')}`;

describe('a file that grows without compression', () => {
  test('one long text named from every row of a workbook', async () => {
    const row = (index: number): string =>
      `<row><c t="inlineStr"><is><t>${numberOf(index)}</t></is></c><c t="s"><v>1</v></c></row>`;
    const header = '<row><c t="inlineStr"><is><t>phone_number</t></is></c><c t="s"><v>0</v></c></row>';
    const rows = header + Array.from({ length: manyRows }, (_, index) => row(index)).join('');
    const bytes = workbookOf(`<worksheet><sheetData>${rows}</sheetData></worksheet>`, ['note', longText]);
    expect(bytes.length).toBeLessThan(5 * 1024 * 1024);
    await expect(parseErrorOf(bytes, 'xlsx')).resolves.toMatch(/more than 256 MB of text/);
  });

  test('one long column name over every row of a CSV file', async () => {
    const name = 'n'.repeat(1_000);
    const rows = Array.from({ length: 300_000 }, (_, index) => `+1555${1_000_000 + index},`);
    const file = [`phone_number,${name}`, ...rows].join('\n');
    await expect(parseErrorOf(file)).resolves.toMatch(/more than 256 MB of text/);
    await expect(parseErrorOf(`phone_number,${name}n\n${numberOf(1)},1`)).resolves.toMatch(/longer than 1000 char/);
  });

  test('a workbook whose sheet needs more memory than it may have', async () => {
    const rows = `<row>${'<c><v>1</v></c>'.repeat(190)}</row>`.repeat(23_000);
    const bytes = workbookOf(`<worksheet><sheetData>${rows}</sheetData></worksheet>`);
    expect(bytes.length).toBeLessThan(5 * 1024 * 1024);
    await expect(parseErrorOf(bytes, 'xlsx')).resolves.toMatch(/too much memory/);
  });
});
