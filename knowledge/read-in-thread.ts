import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UnreadableDocument } from './unreadable-document.js';

/** Heap of the reading thread; two documents may be read at once by a worker that has 512 MB. */
const heapMb = 160;

/** How long the thread may take. Ten megabytes take it some seconds; a document made to keep it busy is given up on. */
const patienceMs = 120_000;

/**
 * The text of a document, found by a thread with limited memory and time.
 *
 * @param bytes handed over to the thread
 * @param mostCharacters where there are more, it may stop
 * @throws UnreadableDocument
 */
export async function readInThread(
  kind: 'pdf' | 'docx' | 'html',
  bytes: Uint8Array<ArrayBuffer>,
  mostCharacters: number,
  signal: AbortSignal,
): Promise<string> {
  const thread = new Worker(new URL('./document-thread.mjs', import.meta.url), {
    workerData: { kind, bytes, mostCharacters },
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    env: {},
    execArgv: [],
    // What libraries print about a document is nobody's log line.
    stdout: true,
    stderr: true,
  });
  const patience = AbortSignal.timeout(patienceMs);
  try {
    const message: unknown[] = await once(thread, 'message', { signal: AbortSignal.any([signal, patience]) });
    const found = message[0] as { readonly text: string } | { readonly error: string };
    if ('text' in found) return found.text;
    throw unreadable(kind, found.error);
  } catch (error) {
    if (error instanceof UnreadableDocument || signal.aborted) throw error;
    if (patience.aborted)
      throw new UnreadableDocument('The document takes too long to read. Split it, or send its text.');
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw new UnreadableDocument('The document needs too much memory to read. Split it, or send its text.');
    }
    throw unreadable(kind, error instanceof Error ? error.message : String(error));
  } finally {
    await thread.terminate();
  }
}

const names = { pdf: 'a PDF', docx: 'a Word document (.docx)', html: 'HTML' } as const;

function unreadable(kind: keyof typeof names, detail: string): UnreadableDocument {
  if (/password|encrypt/i.test(detail)) {
    return new UnreadableDocument('The document is protected by a password. Save it without one and send it again.');
  }
  return new UnreadableDocument(
    `The file cannot be read as ${names[kind]} (${detail.slice(0, 200)}). Save it again, or send its text.`,
  );
}
