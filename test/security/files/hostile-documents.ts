import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import type { DocumentKind } from '../../../domain/knowledge/document.js';
import { docxOf } from '../../unit/knowledge/documents.js';

/** A document made to do harm. */
export interface HostileDocument {
  readonly name: string;
  readonly kind: DocumentKind;
  readonly make: () => Buffer;
  /** Reading it takes seconds, by its nature, or another one tries the same at less cost. */
  readonly isSlow: boolean;
}

const MB = 1024 * 1024;
const most = 10 * MB;

/** Zeros, compressed; what they unpack to is never in memory. */
function flateOfZeros(megabytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(MB), { finishFlush: constants.Z_FULL_FLUSH });
  const blocks = Array.from({ length: megabytes }, () => block);
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...blocks, Buffer.from([0x03, 0, 0, 0, 0, 1])]);
}

/** A PDF of one page whose content passes through these filters. */
function pdfOfContent(content: Buffer, filters: number): Buffer {
  const filter = `/Filter [${'/FlateDecode '.repeat(filters)}]`;
  return Buffer.concat([
    Buffer.from(
      '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n' +
        '3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>\nendobj\n' +
        `4 0 obj\n<< /Length ${content.length} ${filter} >>\nstream\n`,
    ),
    content,
    Buffer.from('\nendstream\nendobj\ntrailer\n<< /Size 5 /Root 1 0 R >>\n%%EOF\n'),
  ]);
}

const documents: readonly (readonly [DocumentKind, string, () => Buffer])[] = [
  ['pdf', 'a page that unpacks twice, to 1.5 GB', () => pdfOfContent(deflateSync(flateOfZeros(1_500)), 2)],
  [
    'pdf',
    'a page that unpacks three times, to 4 GB',
    () => pdfOfContent(deflateSync(deflateSync(flateOfZeros(4_000))), 3),
  ],
  ['pdf', 'a page that unpacks to 600 MB', () => pdfOfContent(flateOfZeros(600), 1)],
  ['docx', 'millions of empty paragraphs', () => docxOf([], { 'word/document.xml': Buffer.alloc(120 * MB, '<w:p/>') })],
  ['docx', 'tags nested millions deep', () => docxOf([], { 'word/document.xml': Buffer.alloc(100 * MB, '<w:p>') })],
  ['docx', 'one text of 100 MB', () => docxOf(['x'.repeat(100 * MB)])],
  ['html', 'tags nested 1.9 million deep', () => Buffer.from('<div>'.repeat(1_900_000))],
  [
    'html',
    'a cell over a billion columns',
    () => Buffer.from('<table><tr><td colspan="999999999" rowspan="999999999">x</td></tr></table>'),
  ],
  ['html', 'tags that are never closed', () => Buffer.alloc(most, '<a b="')],
  ['html', 'two million cells', () => Buffer.from(`<table>${'<tr><td>'.repeat(1_250_000)}`)],
  ['text', 'spaces', () => Buffer.concat([Buffer.alloc(most - 1, ' '), Buffer.from('x')])],
  ['text', 'line feeds', () => Buffer.concat([Buffer.alloc(most - 1, '\n'), Buffer.from('x')])],
  ['text', 'words of one letter', () => Buffer.alloc(most - 10, 'a. ')],
  ['text', 'one word', () => Buffer.alloc(most - 10_000_000 + 9_000_000, 'x')],
];

const slow: ReadonlySet<string> = new Set([
  'a page that unpacks twice, to 1.5 GB',
  'a page that unpacks to 600 MB',
  'tags nested millions deep',
  'one text of 100 MB',
  'tags nested 1.9 million deep',
  'two million cells',
  'line feeds',
]);

/** What a tenant may send as a document of a knowledge base, each at most 10 MB. */
export const hostileDocuments: readonly HostileDocument[] = documents.map(([kind, name, make]) => ({
  kind,
  name,
  make,
  isSlow: slow.has(name),
}));
