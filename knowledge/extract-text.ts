import type { DocumentKind } from '../domain/knowledge/document.js';
import { isOutOfMemory } from '../platform/serve-reader.js';
import { repackArchive, UnusableArchive } from '../platform/zip-archive.js';
import { decodeHtml, decodeText } from './decode-text.js';
import { findText } from './find-text.js';
import { UnreadableDocument } from './unreadable-document.js';

/** Longest text that is kept of one document; ten times the Bible is less. */
export const mostCharacters = 10_000_000;

/** Largest unpacked size of a .docx, pictures included. */
const mostUnpackedBytes = 128 * 1024 * 1024;

/** Parts of a .docx that hold text or say where it is. */
const holdsText = (fileName: string): boolean =>
  /\.(?:xml|rels)$/i.test(fileName) && !/(?:^|\/)(?:media|embeddings|theme)\//.test(fileName);

const faults = {
  too_large: `The document unpacks to more than ${mostUnpackedBytes / 1024 / 1024} MB, which is refused as a zip bomb.`,
  encrypted: 'The document is protected by a password. Save it without one and send it again.',
  foreign: 'The file is not a Word document (.docx), whatever its name says. Save it as one, or send its text.',
  damaged: 'The file is damaged, or not a Word document (.docx). Save it again as one, or send its text.',
} as const;

const unpackedDocx = (bytes: Buffer): Promise<Uint8Array<ArrayBuffer>> =>
  repackArchive(bytes, {
    mostBytes: mostUnpackedBytes,
    mostEntries: 5_000,
    keeps: holdsText,
    needs: 'word/document.xml',
  }).catch((error: unknown) => {
    throw error instanceof UnusableArchive ? new UnreadableDocument(faults[error.fault]) : error;
  });

const names = { pdf: 'a PDF', docx: 'a Word document (.docx)', html: 'HTML' } as const;

async function rawText(bytes: Buffer, kind: DocumentKind): Promise<string> {
  if (kind === 'text') return decodeText(bytes);
  const document = kind === 'docx' ? Buffer.from((await unpackedDocx(bytes)).buffer) : bytes;
  try {
    return await findText[kind](document, () => decodeHtml(bytes), mostCharacters);
  } catch (error) {
    throw unreadable(kind, error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  }
}

function unreadable(kind: keyof typeof names, detail: string): Error {
  if (isOutOfMemory(detail)) return new Error(detail);
  if (/password|encrypt/i.test(detail)) {
    return new UnreadableDocument('The document is protected by a password. Save it without one and send it again.');
  }
  // A slip of a reader over what it did not expect: its words are about our code, not about the file.
  const words = /^(?:Type|Range)Error:/.test(detail) ? 'it is damaged, or nested too deeply' : detail.slice(0, 200);
  return new UnreadableDocument(
    `The file cannot be read as ${names[kind]} (${words}). Save it again, or send its text.`,
  );
}

/** Lines without trailing spaces, one empty line at most between them, and no characters that mean nothing. */
const tidied = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029\f\v]/g, '\n')
    .replace(/[^\P{Cc}\n\t]|\u00ad|\ufeff/gu, '')
    .split('\n')
    .map((line) => line.trimEnd()) // a regular expression would start again at each of a million spaces
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/**
 * The text of a document, without its layout. The author of the document decides how much memory and time this takes: it
 * belongs into a separate process, which is what `readDocumentApart` gives it.
 *
 * @throws UnreadableDocument if there is no text, or it cannot be read
 */
export async function extractText(bytes: Buffer, kind: DocumentKind): Promise<string> {
  const text = tidied(await rawText(bytes, kind));
  if (text === '') {
    throw new UnreadableDocument(
      kind === 'pdf'
        ? 'The document holds no text. If it is scanned, run text recognition (OCR) over it and send it again.'
        : 'The document holds no text.',
    );
  }
  if (text.length > mostCharacters) {
    throw new UnreadableDocument(`The document holds more than ${mostCharacters} characters of text. Split it.`);
  }
  return text;
}
