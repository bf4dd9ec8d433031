import { readApart, ReaderEnded, type ReaderLimits } from '../platform/reader-process.js';
import type { MissingPlus } from '../domain/phone/phone-number-cell.js';
import type {
  ContactsChunk,
  ContactsFile,
  ContactsOptions,
  FileExtension,
  RecipientsExtension,
  RowCounts,
} from './contacts.js';
import { judgeRows } from './judge-rows.js';
import type { NumbersOfFile, UnreadNumber } from './read-numbers.js';
import type { ReaderAnswer, ReaderRequest } from './reader-request.js';
import { UnusableFile } from './unusable-file.js';

const program = new URL('./contacts-reader.js', import.meta.url);

/** A 5 MB workbook of 510,000 bare numbers takes 500 MiB and eight seconds of a slow processor; CSV a third of that. */
export const fileReaderLimits: ReaderLimits = { memoryMiB: 576, cpuSeconds: 60, silenceMs: 600_000 };

async function* answers(bytes: Buffer, request: ReaderRequest, signal?: AbortSignal): AsyncGenerator<ReaderAnswer> {
  try {
    for await (const line of readApart({ program, request, bytes, limits: fileReaderLimits, signal })) {
      const answer = JSON.parse(line) as ReaderAnswer;
      if (answer.unusable !== undefined) throw new UnusableFile(answer.unusable);
      yield answer;
    }
  } catch (error) {
    if (!(error instanceof ReaderEnded)) throw error;
    switch (error.end) {
      case 'memory':
        throw new UnusableFile('The file takes too much memory to read. Save its first sheet as CSV and upload that.');
      case 'time':
        throw new UnusableFile('The file takes too long to read. Save its first sheet as CSV and upload that.');
      case 'lost':
        throw error;
    }
  }
}

export interface ReadApartOptions extends ContactsOptions {
  /** For a report: no metadata, and only so many rejected rows; all of them are counted. */
  readonly brief?: { readonly mostRejected: number };
  readonly signal?: AbortSignal;
}

const nothingRead: RowCounts = { columns: [], rows: 0, recipients: 0, rejected: 0, corrected: 0, missingPlus: 0 };

/**
 * Reads an uploaded file of recipients (docs/conformance.md, Batch calls: rows): CSV, XLS or XLSX of at most
 * 5 MB, in a separate process. Bad rows are handed over beside the good ones and never stop the file; a file without a
 * single good row is unusable.
 *
 * The chunks throw ReaderEnded if the process was lost for reasons that lie outside of the file.
 */
export function contactsOfFile(bytes: Buffer, extension: RecipientsExtension, options: ReadApartOptions): ContactsFile {
  const { isDoNotCall, mayBeEmpty, brief, signal, ...reading } = options;
  const request: ReaderRequest = {
    read: 'contacts',
    extension,
    options: reading,
    withMetadata: brief === undefined,
    ...(brief === undefined ? {} : { mostRejected: brief.mostRejected }),
  };
  let counts = nothingRead;
  async function* chunks(): AsyncGenerator<ContactsChunk> {
    for await (const answer of answers(bytes, request, signal)) {
      counts = answer.counts ?? counts;
      if (answer.chunk !== undefined) yield answer.chunk;
    }
  }
  return judgeRows({ chunks: chunks(), counts: () => counts }, isDoNotCall, mayBeEmpty);
}

/**
 * Reads the phone_number column of a CSV, XLS or XLSX file and nothing else, in a separate process.
 *
 * @param mostListed rejected rows that are listed; the others are only counted
 * @throws UnusableFile if the file cannot be read or has no phone_number column
 */
export async function numbersOfFile(
  bytes: Buffer,
  extension: FileExtension,
  { missingPlus, mostListed }: { readonly missingPlus: MissingPlus; readonly mostListed: number },
): Promise<NumbersOfFile> {
  const numbers: string[] = [];
  let rejected = 0;
  let firstRejected: readonly UnreadNumber[] = [];
  const request: ReaderRequest = { read: 'numbers', extension, missingPlus, mostRejected: mostListed };
  for await (const answer of answers(bytes, request)) {
    for (const number of answer.numbers ?? []) numbers.push(number);
    if (answer.rejected === undefined) continue;
    rejected = answer.rejected.count;
    firstRejected = answer.rejected.first;
  }
  return { numbers, rejected, firstRejected };
}
