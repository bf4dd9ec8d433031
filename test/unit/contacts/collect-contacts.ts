import type {
  ContactsOptions,
  ContactsSummary,
  CorrectedRow,
  FileExtension,
  Recipient,
  RejectedRow,
} from '../../../contacts/contacts.js';
import { judgeRows } from '../../../contacts/judge-rows.js';
import { parseRows } from '../../../contacts/parse-contacts.js';
import { UnusableFile } from '../../../contacts/unusable-file.js';

export interface Collected {
  readonly recipients: Recipient[];
  readonly rejected: RejectedRow[];
  readonly corrected: CorrectedRow[];
  readonly summary: ContactsSummary;
}

const asSent: ContactsOptions = { duplicates: 'call', missingPlus: 'reject' };

/** Everything a file comes to; text is a CSV file. */
export async function collectContacts(
  file: string | Buffer,
  options: Partial<ContactsOptions> = {},
  extension: FileExtension = 'csv',
): Promise<Collected> {
  const { isDoNotCall, ...reading } = { ...asSent, ...options };
  const { chunks, summary } = judgeRows(parseRows(Buffer.from(file), extension, reading), isDoNotCall);
  const recipients: Recipient[] = [];
  const rejected: RejectedRow[] = [];
  const corrected: CorrectedRow[] = [];
  for await (const chunk of chunks) {
    recipients.push(...chunk.recipients);
    rejected.push(...chunk.rejected);
    corrected.push(...chunk.corrected);
  }
  return { recipients, rejected, corrected, summary: summary() };
}

/** The words for the person whose file cannot be used. Fails if the file can. */
export async function parseErrorOf(
  file: string | Buffer,
  extension: FileExtension = 'csv',
  options: Partial<ContactsOptions> = {},
): Promise<string> {
  try {
    await collectContacts(file, options, extension);
  } catch (error) {
    if (error instanceof UnusableFile) return error.message;
    throw error;
  }
  throw new Error('The file was accepted.');
}

/** The metadata of each recipient, as an object that holds any key. */
export const metadataOf = (recipients: readonly Recipient[]): unknown[] =>
  recipients.map(({ metadataJson }): unknown => JSON.parse(metadataJson));
