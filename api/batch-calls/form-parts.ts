import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { mostBatchFileBytes, type SentForm } from '../../domain/batch/form.js';
import { type Failure, invalid, tooLarge, unavailable } from '../../domain/errors.js';
import type { Place } from '../../platform/turns.js';

export interface FormParts extends SentForm {
  /** What came as `file`; empty if nothing did. */
  readonly bytes: Buffer;
  /** Of the bytes, hexadecimal. */
  readonly sha256: string;
}

/** Longer than any field may be; a text that is cut off here fails its own check. */
const longestFieldBytes = 65_536;
const mostParts = 64;
const longestName = 100;

function unreadable(message: string): Failure {
  return invalid(`The form ${message}`, [{ path: '', code: 'INVALID_VALUE', message }]);
}

function fileTooLarge(mostBytes: number): Failure {
  const message = `is larger than ${mostBytes / 1024 / 1024} MB (${mostBytes} bytes)`;
  return tooLarge(`The file ${message}`, [{ path: 'file', code: 'TOO_LONG', message }]);
}

function openParser({ headers }: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: { fieldSize: longestFieldBytes, parts: mostParts },
      // By its name alone: clients send JSON as a part with a type, even with a filename (a Blob), and it is text still.
      isPartAFile: (name) => name === 'file',
    });
  } catch {
    throw unreadable('has no usable boundary in its Content-Type');
  }
}

/** Collects parts as they come; nothing is judged here but their number and the size of the file. */
function collector(mostBytes: number) {
  const texts = new Map<string, string>();
  const repeated = new Set<string>();
  const chunks: Buffer[] = [];
  const hash = createHash('sha256');
  let filename: string | null = null;
  let size = 0;

  const take = (name: string, text: string): void => {
    const shown = name.slice(0, longestName);
    if (texts.has(shown)) repeated.add(shown);
    else texts.set(shown, text);
  };

  return {
    take,

    /** @throws Failure as soon as the file is larger than it may be */
    add(chunk: Buffer): void {
      size += chunk.length;
      if (size > mostBytes) throw fileTooLarge(mostBytes);
      hash.update(chunk);
      chunks.push(chunk);
    },

    /** The part called `file` is over. Without a file name it is a text; without name and content it counts as omitted. */
    endFile(name: string | undefined): void {
      if (name === undefined || name === '') take('file', size === 0 ? '' : 'text');
      else if (filename === null) filename = name;
      else repeated.add('file');
    },

    form(): FormParts {
      if (texts.get('file') === '') texts.delete('file');
      return { texts, repeated: [...repeated], filename, bytes: Buffer.concat(chunks), sha256: hash.digest('hex') };
    },
  };
}

const lookMs = 5_000;
const leastBytesInALook = 100_000;

/**
 * Ends an upload that comes slowly, while an account that has none waits for a place: few accounts could hold all of
 * them by sending a byte now and then.
 *
 * @returns ends the watch
 */
function watchRate(request: IncomingMessage, place: Place, end: (reason: Failure) => void): () => void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => (bytes += chunk.length));
  const look = setInterval(() => {
    const came = bytes;
    bytes = 0;
    if (came >= leastBytesInALook || !place.isWanted()) return;
    const words = `Only ${came} bytes came in ${lookMs / 1_000} s, and other accounts wait to send files. Send it again.`;
    end(unavailable(`The file was not taken. ${words}`, lookMs / 1_000));
  }, lookMs);
  return () => clearInterval(look);
}

export interface FormReading {
  /** How large the file may be. */
  readonly mostBytes?: number;
  /** Given up if the form comes slowly and others want it; omitted: the form may take as long as a request may. */
  readonly place?: Place | undefined;
}

/**
 * Reads a multipart form with one file from the stream as it arrives: parts in any order, never more of the file in memory
 * than it may have.
 *
 * @throws Failure `invalid` for what is no such form, `too_large` at the first byte too many, `unavailable` for one that
 *   comes slower than 20 kB a second while others wait
 */
export async function readFormParts(
  request: IncomingMessage,
  { mostBytes = mostBatchFileBytes, place }: FormReading = {},
): Promise<FormParts> {
  if (request.destroyed) throw unreadable('was cut off'); // while it waited for its turn
  const parser = openParser(request);
  const collected = collector(mostBytes);
  let endWatch: () => void = () => undefined;
  return new Promise<FormParts>((resolve, reject) => {
    const stop = (reason: Error): void => {
      // What still comes is read and thrown away, so that the client gets to read the answer.
      request.unpipe(parser);
      request.resume();
      reject(reason);
    };
    const readFile = (file: BusboyFileStream, filename: string | undefined): void => {
      file.on('data', (chunk: Buffer) => {
        try {
          collected.add(chunk);
        } catch (error) {
          file.removeAllListeners('data').resume();
          stop(error instanceof Error ? error : new Error(String(error)));
        }
      });
      file.on('end', () => collected.endFile(filename));
      file.on('error', () => stop(unreadable('ends in the middle of the file')));
    };
    parser
      .on('file', (_name, file, filename: string | undefined) => readFile(file, filename))
      .on('field', (name: string | undefined, text) => collected.take(name ?? '', text))
      .on('partsLimit', () => stop(unreadable(`has more than ${mostParts} parts`)))
      .on('error', () => stop(unreadable('is not complete multipart/form-data')))
      .on('finish', () => resolve(collected.form()));
    request.once('aborted', () => stop(unreadable('was cut off')));
    if (place !== undefined) endWatch = watchRate(request, place, stop);
    request.pipe(parser);
  }).finally(() => endWatch());
}
