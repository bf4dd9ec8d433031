import type { DialingOrder } from '../domain/batch/dialing-order.js';
import type { RowReason } from '../domain/batch/row-reasons.js';
import type { MissingPlus } from '../domain/phone/phone-number-cell.js';
import type { ColumnNames } from '../domain/batch/column-names.js';

export type FileExtension = 'csv' | 'xls' | 'xlsx';
/** A file, or the recipients of a JSON body in place of one. */
export type RecipientsExtension = FileExtension | 'json';

/** A row of the file that will be called. */
export interface Recipient extends DialingOrder {
  /** Row number as a spreadsheet shows it: the header is row 1. Of JSON: 1 for the first recipient. */
  readonly row: number;
  /** The client's own id, only of JSON. */
  readonly id?: string;
  /** E.164. */
  readonly phoneNumber: string;
  /** The other columns as a JSON object of strings, at most 16 KB of UTF-8; `{}` if the file has no other. */
  readonly metadataJson: string;
  /** What the recipient asks for itself, as `calls.options` keeps it; omitted: nothing. */
  readonly optionsJson?: string;
  /** IANA names, with `withTimeZones`, or if the row or JSON names one: its own, else the number's. Empty if neither is known. */
  readonly timeZones?: readonly string[];
}

/** A row that will not be called. */
export interface RejectedRow {
  readonly row: number;
  /** The client's own id, only of JSON. */
  readonly id?: string;
  /** The phone_number cell as the file has it, its first 200 characters. */
  readonly value: string;
  readonly reason: RowReason;
  /** A message for the person who uploaded the file: what is wrong and how to correct it. */
  readonly message: string;
}

/** A number that is dialed otherwise than it is written: separators dropped, a trunk prefix dropped, a plus added. */
export interface CorrectedRow {
  readonly row: number;
  readonly value: string;
  readonly phoneNumber: string;
}

/** The results of some thousand rows of the file. */
export interface ContactsChunk {
  readonly recipients: readonly Recipient[];
  readonly rejected: readonly RejectedRow[];
  readonly corrected: readonly CorrectedRow[];
}

export interface ContactsSummary {
  /** Column names in the file's order, phone_number included. */
  readonly columns: readonly string[];
  /** Rows that are not blank, the header not counted. */
  readonly rows: number;
  readonly recipients: number;
  readonly rejected: number;
  readonly corrected: number;
  /** Advice on the file as a whole, such as that most numbers lack their +; null if there is none. */
  readonly hint: string | null;
}

/** How the rows of a file are read. */
export interface ReadingOptions {
  /** Names for columns that the file calls otherwise, each with the file's header; omitted: none. */
  readonly columnNames?: ColumnNames;
  /** `call`: only identical rows are skipped. `skip`: each number is called once. */
  readonly duplicates: 'call' | 'skip';
  readonly missingPlus: MissingPlus;
  /** ISO 3166-1 alpha-2: numbers without + are read as numbers of this country first; omitted or null: of none. */
  readonly defaultCountry?: string | null;
  /** Columns that the file must have and every row must fill: what the agent says of them. */
  readonly columnsToFill?: readonly string[];
  /** Finds out each recipient's time zones; only a calling window in the recipient's own time needs them. */
  readonly withTimeZones?: boolean;
  /**
   * Rejects rows whose `timezone` cell names no zone. For those who are called by their own clock: by that of the number, they
   * might be called at night.
   */
  readonly refuseUnknownZones?: boolean;
}

export interface ContactsOptions extends ReadingOptions {
  /** Whether a file without a good row can be used all the same: recipients are added later. */
  readonly mayBeEmpty?: boolean;
  /** Which of these E.164 numbers are on the account's do-not-call list. Asked once per chunk; omitted: none is. */
  readonly isDoNotCall?: (numbers: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** A file being read. The chunks can be walked once; the summary counts what has been walked. */
export interface ContactsFile {
  /**
   * The file's rows in order, a few thousand at most at a time: a file of 374,000 rows is never in memory as recipients.
   *
   * Throws UnusableFile if the file cannot be used, perhaps after chunks that could.
   */
  readonly chunks: AsyncIterable<ContactsChunk>;
  readonly summary: () => ContactsSummary;
}

/** Rows as the file has them, before anything outside of the file is asked. */
export interface RowsOfFile {
  readonly chunks: AsyncIterable<ContactsChunk>;
  /** The counts of the rows read so far. */
  readonly counts: () => RowCounts;
}

export interface RowCounts {
  /** Column names in the file's order, phone_number included; empty before the header was read. */
  readonly columns: readonly string[];
  readonly rows: number;
  readonly recipients: number;
  readonly rejected: number;
  readonly corrected: number;
  /** Rows whose number lacks its +. */
  readonly missingPlus: number;
}
