import type {
  ContactsChunk,
  ContactsOptions,
  ContactsSummary,
  CorrectedRow,
  RecipientsExtension,
  RejectedRow,
} from './contacts.js';
import { contactsOfFile } from './read-apart.js';
import { UnusableFile } from './unusable-file.js';

/** Rejected rows that a review lists (docs/conformance.md, validate.report: the first 100). */
const maxListedRejections = 100;

/** Corrected rows that a review lists. */
const mostListedCorrections = 1_000;

/** The result that a file would have; nothing is stored. */
export interface ContactsReview extends ContactsSummary {
  /** Why the file cannot be used, as a batch's `parseError` would say it; null if it can. */
  readonly parseError: string | null;
  /** The first rejected rows; `rejected` counts all of them. */
  readonly firstRejected: readonly RejectedRow[];
  /** The first rows whose number is dialed otherwise than it is written; `corrected` counts all of them. */
  readonly firstCorrected: readonly CorrectedRow[];
}

/**
 * Reads a file to its end as a batch would, and returns the result. Does not throw if the file is unusable.
 *
 * @param look sees the rows as they are read
 */
export async function reviewContacts(
  bytes: Buffer,
  extension: RecipientsExtension,
  options: ContactsOptions,
  look?: (chunk: ContactsChunk) => Promise<void>,
): Promise<ContactsReview> {
  const brief = { mostRejected: maxListedRejections };
  const { chunks, summary } = contactsOfFile(bytes, extension, { ...options, brief });
  let firstRejected: RejectedRow[] = [];
  const firstCorrected: CorrectedRow[] = [];
  let parseError: string | null = null;
  try {
    for await (const chunk of chunks) {
      await look?.(chunk);
      const { rejected, corrected } = chunk;
      firstCorrected.push(...corrected.slice(0, mostListedCorrections - firstCorrected.length));
      if (rejected.length === 0) continue;
      firstRejected = [...firstRejected, ...rejected].sort((a, b) => a.row - b.row).slice(0, maxListedRejections);
    }
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
    parseError = error.message;
  }
  return { ...summary(), parseError, firstRejected, firstCorrected };
}
