import type { ContactsChunk, FileExtension, ReadingOptions, RowsOfFile } from './contacts.js';
import { type Header, headerOf, readHeader } from './header.js';
import { openSheet } from './open-sheet.js';
import { type RowReader, rowReader, type Tally } from './rows-to-contacts.js';
import type { RowBlock, Sheet } from './sheet.js';
import { timeZonesFinder } from './time-zones-finder.js';

/**
 * Reads the rows of an uploaded file of recipients (docs/conformance.md, Batch calls: rows): CSV, XLS or XLSX of
 * at most 5 MB. Bad rows are handed over beside the good ones and never stop the file. The author of the file decides how
 * much memory and time this takes: it belongs into a separate process, which is what `contactsOfFile` gives it.
 */
export function parseRows(bytes: Buffer, extension: FileExtension, options: ReadingOptions): RowsOfFile {
  let header: Header | undefined;
  let tally: Readonly<Tally> = nothingYet;

  async function* walk(): AsyncGenerator<ContactsChunk> {
    for await (const { header: found, reader, block } of withReader(openSheet(bytes, extension), options)) {
      header = found;
      tally = reader.tally;
      if (block.rows.length > 0) yield reader.read(block);
    }
    if (header === undefined) readHeader([]);
  }

  return { chunks: walk(), counts: () => ({ ...tally, columns: header?.columns ?? [] }) };
}

const nothingYet: Tally = { rows: 0, recipients: 0, rejected: 0, corrected: 0, missingPlus: 0 };

/** Takes the header off the sheet: gives each block of rows after it together with the reader that the header made. */
async function* withReader(
  sheet: Sheet,
  options: ReadingOptions,
): AsyncGenerator<{ readonly header: Header; readonly reader: RowReader; readonly block: RowBlock }> {
  let made: { readonly header: Header; readonly reader: RowReader } | undefined;
  for await (const block of sheet) {
    if (made !== undefined) yield { ...made, block };
    else if (block.rows.length > 0) {
      const header = headerOf(block, options.columnNames);
      made = {
        header,
        reader: rowReader(header, options, timeZonesFinder()),
      };
      yield { ...made, block: { firstRow: block.firstRow + 1, rows: block.rows.slice(1) } };
    }
  }
}
