// Finds the text of a document in a thread of its own, whose memory and time are limited: a hostile file ends this thread
// and not the worker. Plain JavaScript, so that the same file runs from the sources and from the build.
import { Buffer } from 'node:buffer';
import { parentPort, workerData } from 'node:worker_threads';

/** Longer than any text that is kept; whoever reads the answer says so. */
const { bytes, kind, mostCharacters } = workerData;

async function textOfPdf() {
  const { getDocumentProxy } = await import('unpdf');
  const pdf = await getDocumentProxy(bytes, { isEvalSupported: false, disableFontFace: true, verbosity: 0 });
  const pages = [];
  let characters = 0;
  // One page after the other: all at once would need the memory of all of them.
  for (let number = 1; number <= pdf.numPages && characters <= mostCharacters; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map((item) => (item.str ?? '') + (item.hasEOL ? '\n' : '')).join('');
    page.cleanup();
    characters += text.length;
    pages.push(text);
  }
  return pages.join('\n\n');
}

async function textOfDocx() {
  const { default: mammoth } = await import('mammoth');
  const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes.buffer) });
  return value;
}

async function textOfHtml() {
  const { convert } = await import('html-to-text');
  const html = Buffer.from(bytes.buffer).toString('utf8');
  const leftOut = ['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'nav', 'img', 'select', 'button'];
  const asWritten = { options: { uppercase: false } };
  return convert(html, {
    wordwrap: false,
    limits: { maxDepth: 200, maxInputLength: html.length + 1 },
    selectors: [
      ...leftOut.map((selector) => ({ selector, format: 'skip' })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, ...asWritten })),
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false, maxColumnWidth: 200 } },
    ],
  });
}

const readers = { pdf: textOfPdf, docx: textOfDocx, html: textOfHtml };
try {
  parentPort.postMessage({ text: await readers[kind]() });
} catch (error) {
  parentPort.postMessage({ error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
}
