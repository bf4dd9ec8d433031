import type { DocumentKind } from '../domain/knowledge/document.js';

/** The text of a PDF, page after page: all at once would need the memory of all of them. */
async function textOfPdf(bytes: Uint8Array, mostCharacters: number): Promise<string> {
  const { getDocumentProxy } = await import('unpdf');
  const pdf = await getDocumentProxy(bytes, { isEvalSupported: false, disableFontFace: true, verbosity: 0 });
  const pages: string[] = [];
  let characters = 0;
  for (let number = 1; number <= pdf.numPages && characters <= mostCharacters; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    page.cleanup();
    characters += text.length;
    pages.push(text);
  }
  return pages.join('\n\n');
}

async function textOfDocx(bytes: Buffer): Promise<string> {
  const { default: mammoth } = await import('mammoth');
  const { value } = await mammoth.extractRawText({ buffer: bytes });
  return value;
}

async function textOfHtml(html: string): Promise<string> {
  const { convert } = await import('html-to-text');
  const skipped = ['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'nav', 'img', 'select', 'button'];
  const asWritten = { options: { uppercase: false } };
  return convert(html, {
    wordwrap: false,
    limits: { maxDepth: 200, maxInputLength: html.length + 1 },
    selectors: [
      ...skipped.map((selector) => ({ selector, format: 'skip' })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, ...asWritten })),
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false, maxColumnWidth: 200 } },
    ],
  });
}

/** Extracts the text with the libraries, which may throw anything. Plain text needs none of them. */
export const findText: Readonly<
  Record<Exclude<DocumentKind, 'text'>, (bytes: Buffer, decode: () => string, most: number) => Promise<string>>
> = {
  pdf: (bytes, _decode, most) => textOfPdf(new Uint8Array(bytes), most),
  docx: (bytes) => textOfDocx(bytes),
  html: (_bytes, decode) => textOfHtml(decode()),
};
