// The program of the process that reads spreadsheets; `read-apart.ts` starts it for each file.
import { type Answer, serveReader } from '../platform/serve-reader.js';
import type { ContactsChunk, CorrectedRow, Recipient, RejectedRow } from './contacts.js';
import { parseRows } from './parse-contacts.js';
import { readNumbers } from './read-numbers.js';
import { parseRecipients } from './recipients-to-contacts.js';
import type { ReaderAnswer, ReaderRequest } from './reader-request.js';
import { UnusableFile } from './unusable-file.js';

/** Characters of a line, about: a few milliseconds of work for its parser. */
const lineCharacters = 1024 * 1024;
/** Characters of a row for the names of its fields and for its numbers. */
const rowCharacters = 80;
const numbersPerLine = 10_000;

const charactersOf = {
  recipient: ({ metadataJson, optionsJson = '', timeZones = [] }: Recipient) =>
    metadataJson.length + optionsJson.length + timeZones.length * 30 + rowCharacters,
  rejected: ({ value, message }: RejectedRow) => value.length + message.length + rowCharacters,
  corrected: ({ value }: CorrectedRow) => value.length + rowCharacters,
};

/** A chunk in parts that are small as JSON, whatever its rows hold. */
function* partsOf(chunk: ContactsChunk): Generator<ContactsChunk> {
  const { recipients, rejected, corrected } = chunk;
  const characters =
    sumOf(recipients, charactersOf.recipient) +
    sumOf(rejected, charactersOf.rejected) +
    sumOf(corrected, charactersOf.corrected);
  if (characters < lineCharacters) {
    yield chunk;
    return;
  }
  const empty = { recipients: [], rejected: [], corrected: [] };
  for (const part of inParts(recipients, charactersOf.recipient)) yield { ...empty, recipients: part };
  for (const part of inParts(rejected, charactersOf.rejected)) yield { ...empty, rejected: part };
  for (const part of inParts(corrected, charactersOf.corrected)) yield { ...empty, corrected: part };
}

function sumOf<T>(items: readonly T[], measure: (item: T) => number): number {
  return items.reduce((sum, item) => sum + measure(item), 0);
}

function* inParts<T>(items: readonly T[], measure: (item: T) => number): Generator<T[]> {
  let part: T[] = [];
  let characters = 0;
  for (const item of items) {
    part.push(item);
    characters += measure(item);
    if (characters < lineCharacters) continue;
    yield part;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield part;
}

async function readContacts(
  bytes: Buffer,
  { extension, options, mostRejected = Infinity, withMetadata }: ReaderRequest & { readonly read: 'contacts' },
  answer: (line: ReaderAnswer) => Promise<void>,
): Promise<void> {
  const { chunks, counts } =
    extension === 'json' ? parseRecipients(bytes, options) : parseRows(bytes, extension, options);
  let listed = 0;
  try {
    for await (const chunk of chunks) {
      const rejected = chunk.rejected.slice(0, Math.max(0, mostRejected - listed));
      listed += rejected.length;
      const recipients = withMetadata
        ? chunk.recipients
        : chunk.recipients.map((recipient) => ({ ...recipient, metadataJson: '{}' }));
      for (const part of partsOf({ ...chunk, recipients, rejected })) await answer({ chunk: part });
      await answer({ counts: counts() });
    }
  } finally {
    await answer({ counts: counts() });
  }
}

async function readNumberColumn(
  bytes: Buffer,
  { extension, missingPlus, mostRejected }: ReaderRequest & { readonly read: 'numbers' },
  answer: (line: ReaderAnswer) => Promise<void>,
): Promise<void> {
  const found = await readNumbers(bytes, extension, { missingPlus, mostListed: mostRejected });
  for (let first = 0; first < found.numbers.length; first += numbersPerLine) {
    await answer({ numbers: found.numbers.slice(first, first + numbersPerLine) });
  }
  await answer({ rejected: { count: found.rejected, first: found.firstRejected } });
}

await serveReader(async (sent, bytes, send: Answer) => {
  const request = sent as ReaderRequest;
  const answer = (line: ReaderAnswer): Promise<void> => send(line);
  try {
    if (request.read === 'contacts') await readContacts(bytes, request, answer);
    else await readNumberColumn(bytes, request, answer);
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
    await answer({ unusable: error.message });
  }
});
