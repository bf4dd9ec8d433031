import type { DocumentKind } from '../domain/knowledge/document.js';
import { readApart, ReaderEnded, type ReaderLimits } from '../platform/reader-process.js';
import { UnreadableDocument } from './unreadable-document.js';

const program = new URL('./document-reader.js', import.meta.url);

/** Ten megabytes of PDF or HTML take some 250 MiB and a few seconds. */
export const documentReaderLimits: ReaderLimits = { memoryMiB: 448, cpuSeconds: 30, silenceMs: 600_000 };

/** One line of the answer of the process that reads documents. */
export interface DocumentAnswer {
  readonly language?: string | null;
  /** The next piece of the text. */
  readonly text?: string;
  /** The next passages of it. */
  readonly passages?: readonly string[];
  /** Why it cannot be read: a message for the person who sent it. */
  readonly unreadable?: string;
}

/** The text of a document, its language and its passages. */
export interface ReadDocument {
  readonly text: string;
  /** ISO 639-1; null if that is not clear. */
  readonly language: string | null;
  readonly passages: readonly string[];
}

const refusals = {
  memory: 'The document takes too much memory to read. Split it, or send its text.',
  time: 'The document takes too long to read. Split it, or send its text.',
} as const;

/**
 * Reads a document into text and passages, in a separate process.
 *
 * @param signal ends it if the text is no longer wanted
 * @throws UnreadableDocument if it cannot be read; ReaderEnded if the process was lost for reasons outside of the document
 */
export async function readDocumentApart(
  bytes: Buffer,
  kind: DocumentKind,
  signal?: AbortSignal,
): Promise<ReadDocument> {
  let language: string | null = null;
  let text = '';
  const passages: string[] = [];
  try {
    for await (const line of readApart({ program, request: { kind }, bytes, limits: documentReaderLimits, signal })) {
      const answer = JSON.parse(line) as DocumentAnswer;
      if (answer.unreadable !== undefined) throw new UnreadableDocument(answer.unreadable);
      language = answer.language ?? language;
      text += answer.text ?? '';
      for (const passage of answer.passages ?? []) passages.push(passage);
    }
  } catch (error) {
    if (!(error instanceof ReaderEnded) || error.end === 'lost') throw error;
    throw new UnreadableDocument(refusals[error.end]);
  }
  return { text, language, passages };
}
