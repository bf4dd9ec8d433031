import type { MissingPlus } from '../domain/phone/phone-number-cell.js';
import type { ContactsChunk, FileExtension, ReadingOptions, RecipientsExtension, RowCounts } from './contacts.js';
import type { UnreadNumber } from './read-numbers.js';

/** A request to the process that reads spreadsheets. */
export type ReaderRequest =
  | {
      readonly read: 'contacts';
      readonly extension: RecipientsExtension;
      readonly options: ReadingOptions;
      /** Most rejected rows that are listed; omitted: all. They are counted in any case. */
      readonly mostRejected?: number;
      /** Whether the other columns are handed over; they are judged in any case. */
      readonly withMetadata: boolean;
    }
  | {
      readonly read: 'numbers';
      readonly extension: FileExtension;
      readonly missingPlus: MissingPlus;
      readonly mostRejected: number;
    };

/** One line of its answer. The last one has neither rows nor numbers. */
export interface ReaderAnswer {
  /** `contacts`: what has been counted so far, and the next rows. */
  readonly counts?: RowCounts;
  readonly chunk?: ContactsChunk;
  /** `numbers`: the next of them, and at the end what could not be read. */
  readonly numbers?: readonly string[];
  readonly rejected?: { readonly count: number; readonly first: readonly UnreadNumber[] };
  /** Why the file cannot be used: a message for the person who sent it. */
  readonly unusable?: string;
}
