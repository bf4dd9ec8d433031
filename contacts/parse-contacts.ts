import { timeZonesOf } from '../domain/phone-time-zones.js';
import { canonicalZone } from '../domain/time-zone.js';
import type { ContactsChunk, ContactsFile, ContactsOptions, ContactsSummary, FileExtension } from './contacts.js';
import { type Header, readHeader } from './header.js';
import { numberTimeZones } from './number-time-zones.js';
import { openSheet } from './open-sheet.js';
import { type RowReader, rowReader, type Tally } from './rows-to-contacts.js';
import type { RowBlock, Sheet } from './sheet.js';
import { UnusableFile } from './unusable-file.js';

/**
 * Reads an uploaded file of recipients (service.md, create batch call; spec/api.md, Rows): CSV, XLS or XLSX of at most
 * 5 MB. Bad rows are handed over beside the good ones and never stop the file; a file without a single good row is
 * unusable. The bytes are neither changed nor kept beyond the walk.
 */
export function parseContacts(bytes: Buffer, extension: FileExtension, options: ContactsOptions): ContactsFile {
  let header: Header | undefined;
  let tally: Readonly<Tally> | undefined;

  async function* walk(): AsyncGenerator<ContactsChunk> {
    for await (const { header: found, reader, block } of withReader(openSheet(bytes, extension), options)) {
      header = found;
      tally = reader.tally;
      if (block.rows.length > 0) yield await reader.read(block);
    }
    if (tally === undefined) readHeader([]);
    else if (tally.recipients === 0) throw nobodyToCall(tally);
  }

  return { chunks: walk(), summary: () => summarise(header, tally) };
}

/** Takes the header off the sheet: gives each block of rows after it together with the reader that the header made. */
async function* withReader(
  sheet: Sheet,
  options: ContactsOptions,
): AsyncGenerator<{ readonly header: Header; readonly reader: RowReader; readonly block: RowBlock }> {
  let made: { readonly header: Header; readonly reader: RowReader } | undefined;
  for await (const block of sheet) {
    const [first, ...others] = made === undefined ? block.rows : [];
    if (made !== undefined) yield { ...made, block };
    else if (first !== undefined) {
      const header = readHeader(first);
      made = {
        header,
        reader: rowReader(header, options, options.withTimeZones === true ? timeZonesFor(header) : null),
      };
      yield { ...made, block: { firstRow: block.firstRow + 1, rows: others } };
    }
  }
}

/**
 * Finds the zones of recipients: what the row's `timezone` column names where that is a zone, else those of the number;
 * none where neither is known.
 */
export function timeZonesFinder(): (named: string, phoneNumber: string) => readonly string[] {
  const mapping = numberTimeZones();
  return (named, phoneNumber) => {
    const zone = canonicalZone(named.trim());
    return zone === null ? timeZonesOf(phoneNumber, mapping) : [zone];
  };
}

function timeZonesFor({ timeZoneIndex }: Header): (cells: readonly string[], phoneNumber: string) => readonly string[] {
  const find = timeZonesFinder();
  return (cells, phoneNumber) => find(timeZoneIndex === null ? '' : (cells[timeZoneIndex] ?? ''), phoneNumber);
}

/** Advice where most numbers lack their +: the file was typed into a spreadsheet, which took the + off. */
function hintOf({ rows, missingPlus }: Readonly<Tally>): string | null {
  if (missingPlus * 2 <= rows) return null;
  return (
    `${missingPlus} of ${rows} rows have a number without +. Spreadsheets drop the + of a number that is typed in: ` +
    'format the phone_number column as Text and enter the numbers with +, or, where every number already begins with its ' +
    'country code, send missingPlus=add.'
  );
}

function nobodyToCall(tally: Readonly<Tally>): UnusableFile {
  if (tally.rows === 0)
    return new UnusableFile('There are no rows below the header. Put one phone number in each row.');
  const hint = hintOf(tally);
  return new UnusableFile(
    `No row can be called: ${tally.rows === 1 ? 'the only row was' : `all ${tally.rows} rows were`} rejected. ` +
      (hint ?? 'The rejected rows say why, each with its row number.'),
  );
}

function summarise(header: Header | undefined, tally: Readonly<Tally> | undefined): ContactsSummary {
  const columns = header?.columns ?? [];
  if (tally === undefined) return { columns, rows: 0, recipients: 0, rejected: 0, corrected: 0, hint: null };
  const { rows, recipients, rejected, corrected } = tally;
  return { columns, rows, recipients, rejected, corrected, hint: hintOf(tally) };
}
