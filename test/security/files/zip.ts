import { deflateRawSync } from 'node:zlib';

export interface Part {
  readonly name: string;
  readonly content: Buffer;
  /** What the archive says the part unpacks to; omitted: the truth. */
  readonly statedBytes?: number;
}

/** A ZIP archive of deflated parts that may lie about their sizes. */
export function zipOf(parts: readonly Part[]): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, statedBytes = content.length } of parts) {
    const packed = deflateRawSync(content, { level: 9 });
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
export const workbookParts = (
  sheet: string,
  sharedStrings: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Part[] =>
  Object.entries({
    '[Content_Types].xml':
      `<Types xmlns="${schemas}/package/2006/content-types">` +
      `<Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/>` +
      `<Override PartName="/xl/sharedStrings.xml" ContentType="${contentType}.sharedStrings+xml"/>` +
      ('xl/styles.xml' in more ? `<Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/>` : '') +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${contentType}.worksheet+xml"/></Types>`,
    '_rels/.rels': relationships({ officeDocument: 'xl/workbook.xml' }),
    'xl/_rels/workbook.xml.rels': relationships({
      worksheet: 'worksheets/sheet1.xml',
      sharedStrings: 'sharedStrings.xml',
    }),
    'xl/workbook.xml': `<workbook xmlns="${schemas}/spreadsheetml/2006/main"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/sharedStrings.xml': `<sst count="${sharedStrings.length}">${sharedStrings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': sheet,
    ...more,
  }).map(([name, content]) => ({ name, content: Buffer.from(content) }));

export const workbookOf = (...parts: Parameters<typeof workbookParts>): Buffer => zipOf(workbookParts(...parts));
