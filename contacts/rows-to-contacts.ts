import { canonicalZone } from '../domain/call/time-zone.js';
import { readNumberCell } from '../domain/phone/phone-number-cell.js';
import { type DialingOrder, readInstant, readPriority } from '../domain/batch/dialing-order.js';
import type { ContactsChunk, CorrectedRow, ReadingOptions, Recipient, RejectedRow } from './contacts.js';
import { mostColumns } from '../domain/batch/column-names.js';
import { type Header, missingColumns } from './header.js';
import { maxMetadataBytes, metadataFits } from '../domain/batch/metadata-size.js';
import { metadataWriter } from './metadata.js';
import { rememberRows } from './seen-rows.js';
import { columnLetters, type RowBlock } from './sheet.js';
import { UnusableFile } from './unusable-file.js';
import { isBlankCell, isBlankRow, valueOf, withoutFormulas } from './cells.js';
import type { RowReason } from '../domain/batch/row-reasons.js';

/** Characters of a zone that a message shows. */
const longestZone = 60;

/**
 * Most characters of metadata of a whole file. A workbook can name one long text from every row, and a CSV file one long
 * column name: 5 MB of either would be gigabytes in the database.
 */
const maxExpandedCharacters = 256 * 1024 * 1024;

/** Most rows that are not blank, as many as a spreadsheet can show; 5 MB of numbers have half as many. */
const maxRows = 1_048_576;

/** Counts for the summary and for the advice on the file as a whole. */
export interface Tally {
  rows: number;
  recipients: number;
  rejected: number;
  corrected: number;
  missingPlus: number;
}

export interface RowReader {
  /** Blocks are read one after the other, in the file's order. */
  readonly read: (block: RowBlock) => ContactsChunk;
  readonly tally: Readonly<Tally>;
}

interface Draft {
  readonly recipients: Recipient[];
  readonly rejected: RejectedRow[];
  readonly corrected: CorrectedRow[];
}

/**
 * Makes the reader of one file's rows. It is called with the blocks in order and remembers what it has seen.
 *
 * @param findZones the zones of a number, if none is named that is one
 */
export function rowReader(
  header: Header,
  options: ReadingOptions,
  findZones: (named: string, phoneNumber: string) => readonly string[],
): RowReader {
  const writeMetadata = metadataWriter(header);
  const toFill = columnsToFill(header, options.columnsToFill ?? []);
  const firstSuchRow = rememberRows(options.duplicates);
  const tally: Tally = { rows: 0, recipients: 0, rejected: 0, corrected: 0, missingPlus: 0 };
  let expandedCharacters = 0;

  const readRow = (row: number, written: readonly string[], draft: Draft): void => {
    const cell = written[header.numberIndex] ?? '';
    const cells = withoutFormulas(written);
    const reject = (reason: RowReason, message: string): void => {
      draft.rejected.push({ row, value: valueOf(cell), reason, message });
    };
    const number = readNumberCell(cell, options.missingPlus, options.defaultCountry);
    if ('fault' in number) {
      if (number.fault === 'missing_plus') tally.missingPlus += 1;
      reject(number.fault, number.message);
      return;
    }
    const gap = toFill.find(({ index }) => isBlankCell(cells[index] ?? ''));
    if (gap !== undefined) {
      reject(
        'unfilled_placeholder',
        `The column ${gap.name} is empty, and the agent says {{${gap.name}}}. Fill it in.`,
      );
      return;
    }
    const order = orderOf(header, cells);
    if (order === null) {
      reject(
        'invalid_not_before',
        'The not_before cell is no instant. Write one with its offset, such as 2027-03-01T09:30:00Z, or clear it.',
      );
      return;
    }
    const zone = zoneOf(header, cells);
    if (zone.unknown && options.refuseUnknownZones === true) {
      const shown = JSON.stringify(zone.named.slice(0, longestZone));
      reject(
        'invalid_timezone',
        `The timezone cell ${shown} names no time zone. Write a name such as America/New_York, or clear it to have the clock of the number count.`,
      );
      return;
    }
    const metadataJson = writeMetadata(cells);
    if (!metadataFits(metadataJson)) {
      reject(
        'metadata_too_large',
        `The other columns of this row hold more than ${maxMetadataBytes / 1024} KB. Shorten them.`,
      );
      return;
    }
    const { phoneNumber } = number;
    const firstRow = firstSuchRow(row, phoneNumber, metadataJson);
    if (firstRow !== null) {
      reject('duplicate', duplicateMessage(options.duplicates, phoneNumber, firstRow));
      return;
    }
    expandedCharacters += metadataJson.length;
    if (number.corrected) draft.corrected.push({ row, value: valueOf(cell), phoneNumber });
    // Hours of the account go by the row's own zone also if the batch has no window.
    const isZoned = options.withTimeZones === true || (zone.named !== '' && !zone.unknown);
    const zones = isZoned ? { timeZones: findZones(zone.named, phoneNumber) } : {};
    draft.recipients.push({ row, phoneNumber, metadataJson, ...order, ...zones });
  };

  const read = ({ firstRow, rows }: RowBlock): ContactsChunk => {
    const draft: Draft = { recipients: [], rejected: [], corrected: [] };
    rows.forEach((cells, index) => {
      if (isBlankRow(cells, header.numberIndex)) return;
      refuseNamelessData(header, firstRow + index, cells);
      tally.rows += 1;
      readRow(firstRow + index, cells, draft);
    });
    if (tally.rows > maxRows) {
      throw new UnusableFile(`The file has more than ${maxRows} rows. Split it, and remove rows without a number.`);
    }
    if (expandedCharacters > maxExpandedCharacters) {
      throw new UnusableFile(
        'The rows hold more than 256 MB of text when written out. Remove columns, or split the file.',
      );
    }
    tally.recipients += draft.recipients.length;
    tally.rejected += draft.rejected.length;
    tally.corrected += draft.corrected.length;
    return draft;
  };
  return { read, tally };
}

/** Where the columns are. @throws UnusableFile with the names of those that the file does not have */
function columnsToFill({ metadataColumns }: Header, names: readonly string[]): Header['metadataColumns'] {
  const missing = missingColumns(
    metadataColumns.map(({ name }) => name),
    names,
  );
  if (missing !== null) throw missing;
  return metadataColumns.filter(({ name }) => names.includes(name));
}

function duplicateMessage(duplicates: 'call' | 'skip', phoneNumber: string, firstRow: number): string {
  return duplicates === 'skip'
    ? `${phoneNumber} is already in row ${firstRow}, and each number is called once (duplicates=skip).`
    : `This row is the same as row ${firstRow}. To call ${phoneNumber} again, give the row other data.`;
}

/** What a row asks of the order; null if it cannot be read when the call may be made. */
function orderOf({ priorityIndex, notBeforeIndex }: Header, cells: readonly string[]): DialingOrder | null {
  const named = notBeforeIndex === null ? '' : (cells[notBeforeIndex] ?? '').trim();
  const notBefore = named === '' ? undefined : readInstant(named);
  if (notBefore === null) return null;
  const priority = priorityIndex === null ? undefined : readPriority(cells[priorityIndex] ?? '');
  return { ...(priority === undefined ? {} : { priority }), ...(notBefore === undefined ? {} : { notBefore }) };
}

/** What the row says of the callee's zone; empty if nothing. */
function zoneOf(
  { timeZoneIndex }: Header,
  cells: readonly string[],
): { readonly named: string; readonly unknown: boolean } {
  const named = timeZoneIndex === null ? '' : (cells[timeZoneIndex] ?? '').trim();
  return { named, unknown: named !== '' && canonicalZone(named) === null };
}

/** Data that no column name covers would be lost without a word: the file is refused, and the cell named. */
function refuseNamelessData({ named }: Header, row: number, cells: readonly string[]): void {
  for (let index = 0; index < cells.length; index += 1) {
    if (named[index] === true || isBlankCell(cells[index] ?? '')) continue;
    throw new UnusableFile(
      index >= mostColumns
        ? `Row ${row} has data beyond column ${columnLetters(mostColumns - 1)}: at most ${mostColumns} columns are accepted.`
        : `Row ${row} has data in column ${columnLetters(index)}, and that column has a blank header. ` +
            'Name the column in the first row, or clear its cells; in a CSV file, put cells that contain the delimiter in quotes.',
    );
  }
}
