import type { ContactsChunk, ContactsFile, ContactsOptions, RejectedRow, RowCounts, RowsOfFile } from './contacts.js';
import { UnusableFile } from './unusable-file.js';

/**
 * Judges the rows of a file by what is outside of it: numbers on the do-not-call list are rejected, and a file of which
 * no number is left to call is unusable.
 */
export function judgeRows(
  file: RowsOfFile,
  isDoNotCall: ContactsOptions['isDoNotCall'],
  mayBeEmpty = false,
): ContactsFile {
  let listed = 0;
  let listedCorrected = 0;
  const counts = (): RowCounts => {
    const all = file.counts();
    return {
      ...all,
      recipients: all.recipients - listed,
      rejected: all.rejected + listed,
      corrected: all.corrected - listedCorrected,
    };
  };

  async function* walk(): AsyncGenerator<ContactsChunk> {
    for await (const chunk of file.chunks) {
      const judged = await withoutDoNotCall(chunk, isDoNotCall);
      listed += chunk.recipients.length - judged.recipients.length;
      listedCorrected += chunk.corrected.length - judged.corrected.length;
      yield judged;
    }
    if (counts().recipients === 0 && !mayBeEmpty) throw nobodyToCall(counts());
  }

  return {
    chunks: walk(),
    summary: () => {
      const { missingPlus, ...others } = counts();
      return { ...others, hint: hintOf(others.rows, missingPlus) };
    },
  };
}

async function withoutDoNotCall(
  chunk: ContactsChunk,
  isDoNotCall: ContactsOptions['isDoNotCall'],
): Promise<ContactsChunk> {
  if (isDoNotCall === undefined || chunk.recipients.length === 0) return chunk;
  const refused = await isDoNotCall(chunk.recipients.map(({ phoneNumber }) => phoneNumber));
  if (refused.size === 0) return chunk;
  const written = new Map(chunk.corrected.map(({ row, value }) => [row, value]));
  const listed = chunk.recipients
    .filter(({ phoneNumber }) => refused.has(phoneNumber))
    .map(({ row, id, phoneNumber }): RejectedRow => ({
      row,
      ...(id === undefined ? {} : { id }),
      value: written.get(row) ?? phoneNumber,
      reason: 'do_not_call',
      message: `${phoneNumber} is on your do-not-call list. Take it off the list, or remove the row.`,
    }));
  return {
    recipients: chunk.recipients.filter(({ phoneNumber }) => !refused.has(phoneNumber)),
    rejected: [...chunk.rejected, ...listed].sort((a, b) => a.row - b.row),
    corrected: chunk.corrected.filter(({ phoneNumber }) => !refused.has(phoneNumber)),
  };
}

/** Advice if most numbers lack their +: the file was typed into a spreadsheet, which took the + off. */
function hintOf(rows: number, missingPlus: number): string | null {
  if (missingPlus * 2 <= rows) return null;
  return (
    `${missingPlus} of ${rows} rows have a number without +. Spreadsheets drop the + of a number that is typed in: ` +
    'format the phone_number column as Text and enter the numbers with +, or, if every number already begins with its ' +
    'country code, send missingPlus=add.'
  );
}

function nobodyToCall({ rows, missingPlus }: RowCounts): UnusableFile {
  if (rows === 0) return new UnusableFile('There are no rows below the header. Put one phone number in each row.');
  const hint = hintOf(rows, missingPlus);
  return new UnusableFile(
    `No row can be called: ${rows === 1 ? 'the only row was' : `all ${rows} rows were`} rejected. ` +
      (hint ?? 'The rejected rows say why, each with its row number.'),
  );
}
