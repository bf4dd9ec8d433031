import type { DocumentKind } from '../domain/knowledge-document.js';
import { repackArchive, UnusableArchive } from '../platform/zip-archive.js';
import { decodeHtml, decodeText } from './decode-text.js';
import { readInThread } from './read-in-thread.js';
import { UnreadableDocument } from './unreadable-document.js';

/** Longest text that is kept of one document; ten times the Bible is less. */
export const mostCharacters = 10_000_000;

/** What a .docx may unpack to, pictures included. */
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

async function rawText(bytes: Buffer, kind: DocumentKind, signal: AbortSignal): Promise<string> {
  switch (kind) {
    case 'text':
      return decodeText(bytes);
    case 'html':
      return readInThread(kind, new Uint8Array(Buffer.from(decodeHtml(bytes))), mostCharacters, signal);
    case 'pdf':
      return readInThread(kind, new Uint8Array(bytes), mostCharacters, signal);
    case 'docx':
      return readInThread(kind, await unpackedDocx(bytes), mostCharacters, signal);
  }
}

/** Lines without trailing spaces, one empty line at most between them, and no characters that mean nothing. */
const tidied = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029\f\v]/g, '\n')
    .replace(/[^\P{Cc}\n\t]|\u00ad|\ufeff/gu, '')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/**
 * The text of a document, without its layout.
 *
 * @param signal ends it where the text is not wanted any more
 * @throws UnreadableDocument where there is none, or it cannot be had
 */
export async function extractText(bytes: Buffer, kind: DocumentKind, signal: AbortSignal): Promise<string> {
  const text = tidied(await rawText(bytes, kind, signal));
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
