import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { maxUnpackedBytes } from '../../contacts/workbook-archive.js';
import { parseErrorOf } from '../unit/contacts/collect-contacts.js';

interface Part {
  readonly name: string;
  readonly content: Buffer;
  /** What the archive says the part unpacks to; left out, the truth. */
  readonly statedBytes?: number;
}

/** A ZIP archive of deflated parts that may lie about their sizes. */
function zipOf(parts: readonly Part[]): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, statedBytes = content.length } of parts) {
    const packed = deflateRawSync(content);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(20, 6);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(statedBytes, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(offset, 42);
    const header = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), central.subarray(6, 32)]);
    const piece = Buffer.concat([header, Buffer.from(name), packed]);
    local.push(piece);
    directory.push(central, Buffer.from(name));
    offset += piece.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, ...directory, end]);
}

const contentTypes: Part = {
  name: '[Content_Types].xml',
  content: Buffer.from('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
};
const schemas = 'http://schemas.openxmlformats.org';
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const relationships = (targets: Readonly<Record<string, string>>): string =>
  `<Relationships xmlns="${schemas}/package/2006/relationships">${Object.entries(targets)
    .map(
      ([kind, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${schemas}/officeDocument/2006/relationships/${kind}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

/** The least that makes a workbook of one sheet. */
const workbookParts = (sheet: string, sharedStrings: readonly string[] = []): Part[] =>
  Object.entries({
    '[Content_Types].xml':
      `<Types xmlns="${schemas}/package/2006/content-types">` +
      `<Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/>` +
      `<Override PartName="/xl/sharedStrings.xml" ContentType="${contentType}.sharedStrings+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${contentType}.worksheet+xml"/></Types>`,
    '_rels/.rels': relationships({ officeDocument: 'xl/workbook.xml' }),
    'xl/_rels/workbook.xml.rels': relationships({
      worksheet: 'worksheets/sheet1.xml',
      sharedStrings: 'sharedStrings.xml',
    }),
    'xl/workbook.xml': `<workbook xmlns="${schemas}/spreadsheetml/2006/main"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/sharedStrings.xml': `<sst count="${sharedStrings.length}">${sharedStrings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': sheet,
  }).map(([name, content]) => ({ name, content: Buffer.from(content) }));

const megabytes = (count: number): Buffer => Buffer.alloc(count * 1024 * 1024, '<row/>');

describe('a zip bomb ends in a parse error before it is unpacked', () => {
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
    const bytes = zipOf(workbookParts(`<worksheet><sheetData>${rows}</sheetData></worksheet>`, ['note', longText]));
    expect(bytes.length).toBeLessThan(5 * 1024 * 1024);
    await expect(parseErrorOf(bytes, 'xlsx')).resolves.toMatch(/more than 256 MB of text/);
  }, 60_000);

  test('one long column name over every row of a CSV file', async () => {
    const rows = Array.from({ length: manyRows }, (_, index) => `${numberOf(index)},1`);
    const file = [`phone_number,${longText}`, ...rows].join('\n');
    await expect(parseErrorOf(file)).resolves.toMatch(/more than 256 MB of text/);
  });

  test('a workbook whose sheet needs more memory than it may have', async () => {
    const rows = `<row>${'<c t="b"><v>1</v></c>'.repeat(190)}</row>`.repeat(15_000);
    const bytes = zipOf(workbookParts(`<worksheet><sheetData>${rows}</sheetData></worksheet>`));
    expect(bytes.length).toBeLessThan(5 * 1024 * 1024);
    await expect(parseErrorOf(bytes, 'xlsx')).resolves.toMatch(/too much memory/);
  }, 60_000);
});
