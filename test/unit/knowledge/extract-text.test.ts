import { describe, expect, test } from 'vitest';
import type { DocumentKind } from '../../../domain/knowledge/document.js';
import { extractText } from '../../../knowledge/extract-text.js';
import { docxOf, pdfOf, zipOf } from './documents.js';

const extract = (bytes: Buffer | string, kind: DocumentKind) => extractText(Buffer.from(bytes), kind);

const reasonOf = async (bytes: Buffer | string, kind: DocumentKind): Promise<string> => {
  try {
    return `no failure: ${await extract(bytes, kind)}`;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
};

describe('plain text', () => {
  test('is kept, tidied of what means nothing', async () => {
    const sent = '\ufeffOne  \r\ntwo\0\x07\r\n\r\n\r\n\r\nthree\u00ad\t';
    expect(await extract(sent, 'text')).toBe('One\ntwo\n\nthree');
  });

  test.each([
    ['UTF-8', Buffer.from('Grüße, Zürich')],
    ['Windows-1252', Buffer.from('Grüße, Zürich', 'latin1')],
    ['UTF-16', Buffer.from('\ufeffGrüße, Zürich', 'utf16le')],
  ])('is read as %s if it is that', async (_encoding, bytes) => {
    expect(await extract(bytes, 'text')).toBe('Grüße, Zürich');
  });

  test('without anything in it is refused', async () => {
    expect(await reasonOf(' \n\t ', 'text')).toBe('UnreadableDocument: The document holds no text.');
  });

  test('of more than ten million characters is refused', async () => {
    expect(await reasonOf('a '.repeat(5_000_001), 'text')).toMatch(/more than 10000000 characters/);
  });
});

describe('HTML', () => {
  test('gives what a reader sees, not scripts, menus and styles', async () => {
    const html = `<html><head><title>T</title><style>p{}</style></head><body><nav>Menu</nav><h1>Returns</h1>
      <script>evil()</script><p>Within <b>30</b> days, <a href="https://x.example">see here</a>.</p>
      <table><tr><th>Zone</th><th>Price</th></tr><tr><td>A</td><td>5</td></tr></table></body></html>`;
    const text = await extract(html, 'html');
    expect(text).toContain('Returns\n\nWithin 30 days, see here.');
    expect(text).toMatch(/Zone +Price\nA +5/);
    expect(text).not.toMatch(/Menu|evil|p\{|x\.example/);
  });

  test('in another encoding is read as it says', async () => {
    const page = Buffer.concat([
      Buffer.from('<meta charset="shift_jis"><p>'),
      Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
      Buffer.from('</p>'),
    ]);
    expect(await extract(page, 'html')).toBe('日本');
  });

  test('nested ten thousand deep does no harm', async () => {
    expect(await reasonOf(`${'<div>'.repeat(10_000)}deep${'</div>'.repeat(10_000)}`, 'html')).toMatch(
      /^(no failure|UnreadableDocument)/,
    );
  });
});

describe('PDF', () => {
  test('gives its pages in order', async () => {
    expect(await extract(pdfOf(['First page\nsecond line', 'Second page']), 'pdf')).toBe(
      'First page\nsecond line\n\nSecond page',
    );
  });

  test('of pictures says what to do', async () => {
    expect(await reasonOf(pdfOf(['', '']), 'pdf')).toMatch(/scanned.*OCR/);
  });

  test('that is none, or is broken, says so', async () => {
    expect(await reasonOf('hello', 'pdf')).toMatch(/^UnreadableDocument: The file cannot be read as a PDF/);
  });

  test('with a password says so', async () => {
    const encrypt = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -4 >> /ID [<00> <00>]`;
    expect(await reasonOf(pdfOf(['Secret'], encrypt), 'pdf')).toMatch(/protected by a password/);
  });
});

describe('Word', () => {
  test('gives its paragraphs', async () => {
    expect(await extract(docxOf(['Returns', 'Within 30 days.']), 'docx')).toBe('Returns\n\nWithin 30 days.');
  });

  test('of another kind, or none, says so', async () => {
    expect(await reasonOf(zipOf({ 'a.txt': 'a' }), 'docx')).toMatch(/not a Word document/);
    expect(await reasonOf('hello', 'docx')).toMatch(/damaged, or not a Word document/);
  });

  test('nested deeper than the reader can go says that it is damaged', async () => {
    const cells = '<w:tbl><w:tr><w:tc>'.repeat(20_000);
    const nested = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${cells}<w:p/>${'</w:tc></w:tr></w:tbl>'.repeat(20_000)}</w:body></w:document>`;
    const reason = await reasonOf(docxOf([], { 'word/document.xml': nested }), 'docx');
    expect(reason).toMatch(/damaged, or nested too deeply/);
    expect(reason).not.toContain('call stack');
  });

  test('that unpacks to more than 128 MB is refused before it is unpacked', async () => {
    const bomb = docxOf(['Hi'], { 'word/media/image1.png': Buffer.alloc(129 * 1024 * 1024) });
    expect(bomb.length).toBeLessThan(1024 * 1024);
    expect(await reasonOf(bomb, 'docx')).toMatch(/zip bomb/);
  });
});
