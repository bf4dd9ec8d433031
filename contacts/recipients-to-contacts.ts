import { readInstant } from '../domain/batch/dialing-order.js';
import type { RecipientInput } from '../domain/batch/recipients.js';
import type { RowReason } from '../domain/batch/row-reasons.js';
import { readNumberCell } from '../domain/phone/phone-number-cell.js';
import { canonicalZone } from '../domain/call/time-zone.js';
import type { ContactsChunk, CorrectedRow, ReadingOptions, Recipient, RejectedRow, RowsOfFile } from './contacts.js';
import { missingColumns } from './header.js';
import { maxMetadataBytes, metadataFits } from '../domain/batch/metadata-size.js';
import { rememberRows } from './seen-rows.js';
import { timeZonesFinder } from './time-zones-finder.js';

const recipientsAtOnce = 2_000;
const longestValue = 200;
const numberColumn = 'phone_number';

/** Row that a recipient is kept under: 1 for the first, so that the row tells the index. */
export const rowOfIndex = (index: number): number => index + 1;

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** The first of these names that the metadata leaves empty; undefined if it leaves none. */
export const gapIn = (
  metadata: Readonly<Record<string, unknown>>,
  columnsToFill: readonly string[],
): string | undefined => columnsToFill.find((name) => !Object.hasOwn(metadata, name) || isBlank(metadata[name]));

/** The zone that metadata names, as a file's `timezone` column is part of it; what is no zone is data of the client's own. */
function zoneIn({ timezone }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof timezone === 'string' && canonicalZone(timezone.trim()) !== null ? timezone : undefined;
}

/** Names in the metadata of recipients, each once, in the order in which they come up. */
export const namesOf = (recipients: readonly RecipientInput[]): string[] => [
  ...new Set(recipients.flatMap(({ metadata = {} }) => Object.keys(metadata))),
];

/** What makes a call of its own besides its number: a file would have the id as a column. */
const contentOf = (metadataJson: string, id: string | undefined): string =>
  id === undefined ? metadataJson : `${JSON.stringify(id)}${metadataJson}`;

/**
 * Makes the reader of recipients that came as JSON, by the rules of the rows of a file. It remembers what it has seen.
 *
 * @returns a function that takes them in pieces and says which can be called; `index` of the first of the piece
 */
export function recipientReader(
  options: ReadingOptions,
): (piece: readonly RecipientInput[], index: number) => ContactsChunk {
  const firstSuch = rememberRows(options.duplicates);
  const findZones = timeZonesFinder();
  const { columnsToFill = [] } = options;

  return (piece, firstIndex) => {
    const recipients: Recipient[] = [];
    const rejected: RejectedRow[] = [];
    const corrected: CorrectedRow[] = [];
    piece.forEach((each, place) => {
      const row = rowOfIndex(firstIndex + place);
      const { id, metadata = {}, language, headers, priority } = each;
      const timezone = each.timezone ?? zoneIn(metadata);
      const notBefore = each.notBefore === undefined ? null : readInstant(each.notBefore);
      const value = each.phoneNumber.slice(0, longestValue);
      const named = id === undefined ? {} : { id };
      const reject = (reason: RowReason, message: string): void => {
        rejected.push({ row, ...named, value, reason, message });
      };
      const number = readNumberCell(each.phoneNumber, options.missingPlus, options.defaultCountry);
      if ('fault' in number) {
        reject(number.fault, number.message);
        return;
      }
      const gap = gapIn(metadata, columnsToFill);
      if (gap !== undefined) {
        reject('unfilled_placeholder', `metadata.${gap} is empty, and the agent says {{${gap}}}. Fill it in.`);
        return;
      }
      const metadataJson = JSON.stringify(metadata);
      if (!metadataFits(metadataJson)) {
        reject('metadata_too_large', `The metadata is larger than ${maxMetadataBytes / 1024} KB. Shorten it.`);
        return;
      }
      const { phoneNumber } = number;
      const first = firstSuch(row, phoneNumber, contentOf(metadataJson, id));
      if (first !== null) {
        reject('duplicate', duplicateMessage(options.duplicates, phoneNumber, first - 1));
        return;
      }
      if (number.corrected) corrected.push({ row, value, phoneNumber });
      const asked = { ...(language === undefined ? {} : { language }), ...(headers === undefined ? {} : { headers }) };
      recipients.push({
        row,
        ...named,
        phoneNumber,
        metadataJson,
        ...(priority === undefined ? {} : { priority }),
        ...(notBefore === null ? {} : { notBefore }),
        ...(Object.keys(asked).length === 0 ? {} : { optionsJson: JSON.stringify(asked) }),
        ...(options.withTimeZones === true
          ? { timeZones: findZones(timezone ?? '', phoneNumber) }
          : timezone === undefined
            ? {}
            : { timeZones: findZones(timezone, phoneNumber) }),
      });
    });
    return { recipients, rejected, corrected };
  };
}

function duplicateMessage(duplicates: 'call' | 'skip', phoneNumber: string, index: number): string {
  return duplicates === 'skip'
    ? `${phoneNumber} is already recipients[${index}], and each number is called once (duplicates=skip).`
    : `It is the same as recipients[${index}]. To call ${phoneNumber} again, give it an id or other metadata.`;
}

/** Reads stored recipients, as JSON text, like the rows of a file. @throws UnusableFile if a placeholder has no name */
export function parseRecipients(bytes: Buffer, options: ReadingOptions): RowsOfFile {
  const sent = JSON.parse(bytes.toString()) as readonly RecipientInput[];
  const names = namesOf(sent);
  const read = recipientReader(options);
  const counts = {
    columns: [numberColumn, ...names],
    rows: 0,
    recipients: 0,
    rejected: 0,
    corrected: 0,
    missingPlus: 0,
  };

  async function* walk(): AsyncGenerator<ContactsChunk> {
    const missing = missingColumns(names, options.columnsToFill ?? []);
    if (missing !== null) throw missing;
    for (let index = 0; index < sent.length; index += recipientsAtOnce) {
      const piece = sent.slice(index, index + recipientsAtOnce);
      const chunk = read(piece, index);
      counts.rows += piece.length;
      counts.recipients += chunk.recipients.length;
      counts.rejected += chunk.rejected.length;
      counts.corrected += chunk.corrected.length;
      counts.missingPlus += chunk.rejected.filter(({ reason }) => reason === 'missing_plus').length;
      yield chunk;
    }
  }
  return { chunks: walk(), counts: () => ({ ...counts }) };
}
