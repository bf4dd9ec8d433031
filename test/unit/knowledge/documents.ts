import { deflateRawSync } from 'node:zlib';

/** A ZIP archive of deflated parts. */
export function zipOf(parts: Readonly<Record<string, Buffer | string>>): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(20, 6);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(bytes.length, 24);
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
  end.writeUInt16LE(Object.keys(parts).length, 8);
  end.writeUInt16LE(Object.keys(parts).length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, ...directory, end]);
}

const schemas = 'http://schemas.openxmlformats.org';
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

/** A Word document of these paragraphs. */
export const docxOf = (paragraphs: readonly string[], more: Readonly<Record<string, Buffer | string>> = {}): Buffer =>
  zipOf({
    '[Content_Types].xml':
      `<Types xmlns="${schemas}/package/2006/content-types"><Default Extension="rels" ` +
      'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/word/document.xml" ContentType="${wordType}.document.main+xml"/></Types>`,
    '_rels/.rels':
      `<Relationships xmlns="${schemas}/package/2006/relationships"><Relationship Id="rId1" ` +
      `Type="${schemas}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml':
      `<w:document xmlns:w="${schemas}/wordprocessingml/2006/main"><w:body>` +
      paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('') +
      '</w:body></w:document>',
    ...more,
  });

/** A PDF of one page for each text; none of its texts may hold brackets or a backslash. */
export function pdfOf(pages: readonly string[], encrypt = ''): Buffer {
  const kids = pages.map((_page, index) => `${4 + index * 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, index) => {
      const lines = text.split('\n').map((line) => `(${line}) Tj 0 -16 Td`);
      const content = text === '' ? '' : `BT /F1 12 Tf 72 720 Td ${lines.join(' ')} ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R ` +
          '/Resources << /Font << /F1 3 0 R >> >> >>',
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const xref = body.length;
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  body += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${encrypt} >>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.from(body, 'latin1');
}
