import { type ColumnNames, longestColumnName, mostColumns } from '../domain/batch/column-names.js';
import { withoutFormulas } from './cells.js';
import { nameColumns } from './column-names.js';
import { columnLetters, type RowBlock } from './sheet.js';
import { UnusableFile } from './unusable-file.js';

const numberColumn = 'phone_number';

export interface Header {
  /** Position of the phone_number column, from 0. */
  readonly numberIndex: number;
  /** Position of the timezone column, from 0; null if the file has none. */
  readonly timeZoneIndex: number | null;
  /** Position of the priority column, likewise. */
  readonly priorityIndex: number | null;
  /** Position of the not_before column, likewise. */
  readonly notBeforeIndex: number | null;
  /** Every other column, which becomes the call's metadata, in the file's order. */
  readonly metadataColumns: readonly { readonly index: number; readonly name: string }[];
  /** The names in the file's order, phone_number included. */
  readonly columns: readonly string[];
  /** By position: whether the column has a name. */
  readonly named: readonly boolean[];
}

/** Blanks, and what no one sees, such as the marks for the direction of writing, which programs put around a copied text. */
const aroundNames = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;

/** Signs that divide the cells of some files and that no header holds otherwise. */
const otherDelimiters = [
  ['|', 'vertical bars (|)'],
  ['^', 'carets (^)'],
  ['~', 'tildes (~)'],
] as const;

/** Names people give the column in place of phone_number, without case, spaces and punctuation. */
const nearMisses = new Set(
  (
    'phonenumber phonenumbers phone phones phoneno phonenum phonenr number numbers mobile mobilenumber mobileno ' +
    'mobilephone cell cellphone cellnumber telephone telephonenumber tel telnumber contact contactnumber contactno ' +
    'contactphone callnumber msisdn e164 whatsapp whatsappnumber to customerphone customernumber'
  ).split(' '),
);

const squeezed = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Whether two words differ by one letter omitted, added or replaced. */
function differByOneLetter(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  const restOfA = a.slice(start);
  const restOfB = b.slice(start);
  return restOfA.slice(1) === restOfB.slice(1) || restOfA.slice(1) === restOfB || restOfA === restOfB.slice(1);
}

const isNearMiss = (name: string): boolean =>
  nearMisses.has(squeezed(name)) || differByOneLetter(squeezed(name), squeezed(numberColumn));

/** How alike a near miss is, so that "Phone Number" is named before "Mobile" if a file has both. */
const likeness = (name: string): number =>
  [squeezed(name) === squeezed(numberColumn), /phone/i.test(name), true].findIndex((alike) => alike);

/** Names of columns that a message lists. */
const mostNames = 10;

/** What a file calls something, as a message shows it. */
const quoted = (name: string): string => JSON.stringify(name.slice(0, 60));

function listOf(names: readonly string[], most: number): string {
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return names.slice(0, most).map(quoted).join(', ') + more;
}

function missingNumberColumn(names: readonly string[]): UnusableFile {
  const [only = ''] = names;
  const divided = names.length === 1 ? otherDelimiters.find(([sign]) => only.includes(sign)) : undefined;
  if (divided !== undefined) {
    return new UnusableFile(
      `The cells are divided by ${divided[1]}: the first row is ${quoted(only)}. ` +
        'Divide them by commas, semicolons or tabs, and name the column that holds the phone numbers phone_number.',
    );
  }
  const found = names.filter(isNearMiss).sort((a, b) => likeness(a) - likeness(b))[0];
  if (found !== undefined) {
    return new UnusableFile(`There is no phone_number column: found ${quoted(found)}; rename it to phone_number.`);
  }
  if (names.some((name) => /^\+?\d[\d\s()-]{5,}$/.test(name))) {
    return new UnusableFile(
      'There is no header: the first row holds a phone number. Insert a first row with the column names, phone_number among them.',
    );
  }
  return new UnusableFile(
    `There is no phone_number column: the first row names ${listOf(names, mostNames)}. ` +
      'Name the column that holds the phone numbers phone_number.',
  );
}

/** Names of other sheets that a message lists. */
const mostSheets = 5;

/**
 * The header of a sheet, in the first row of its first block. If it cannot be used and the workbook has other sheets, the message says
 * which sheet was read: the people may be on another one.
 *
 * @throws UnusableFile as `readHeader`
 */
export function headerOf({ rows: [first = []], sheets }: RowBlock, given: ColumnNames = {}): Header {
  try {
    return readHeader(withoutFormulas(first), given);
  } catch (error) {
    if (!(error instanceof UnusableFile) || sheets === undefined) throw error;
    throw new UnusableFile(
      `${error.message} Only the first sheet is read, which is ${quoted(sheets.read)}: ` +
        `if the numbers are on another one (${listOf(sheets.others, mostSheets)}), move that to the front.`,
    );
  }
}

/**
 * Reads the first row (docs/conformance.md, Batch calls: rows: it is the header and needs a phone_number column). Names
 * are trimmed; empty cells after the last name are ignored.
 *
 * @param given names for columns that the file calls otherwise
 * @throws UnusableFile naming the column that is missing, misnamed or there twice
 */
export function readHeader(cells: readonly string[], given: ColumnNames = {}): Header {
  const names = nameColumns(
    cells.map((cell) => cell.replaceAll('\u{feff}', '').replace(aroundNames, '')),
    given,
  );
  const used = names.filter((name) => name !== '');
  if (used.length === 0) {
    throw new UnusableFile(
      'There is no header: the first row is empty. Put the column names there, phone_number among them.',
    );
  }
  if (names.findLastIndex((name) => name !== '') >= mostColumns) {
    throw new UnusableFile(`There are more than ${mostColumns} columns. Remove those that the agent does not need.`);
  }
  const tooLong = names.findIndex((name) => name.length > longestColumnName);
  if (tooLong !== -1) {
    throw new UnusableFile(
      `The name of column ${columnLetters(tooLong)} is longer than ${longestColumnName} characters. Shorten it.`,
    );
  }
  const positions = new Map<string, number>();
  names.forEach((name, index) => {
    const earlier = positions.get(name);
    if (name !== '' && earlier !== undefined) {
      throw new UnusableFile(
        `The column ${JSON.stringify(name.slice(0, 60))} is there twice, in columns ${columnLetters(earlier)} and ${columnLetters(index)}. ` +
          'Rename or remove one of them.',
      );
    }
    positions.set(name, index);
  });
  const numberIndex = positions.get(numberColumn);
  if (numberIndex === undefined) throw missingNumberColumn(used);
  return {
    numberIndex,
    timeZoneIndex: positions.get('timezone') ?? null,
    priorityIndex: positions.get('priority') ?? null,
    notBeforeIndex: positions.get('not_before') ?? null,
    metadataColumns: names
      .map((name, index) => ({ index, name }))
      .filter(({ index, name }) => name !== '' && index !== numberIndex),
    columns: used,
    named: names.map((name) => name !== ''),
  };
}

/** Placeholders that one message names, and the characters of each. */
const mostNamed = 20;
const longestShown = 200;

/** What is wrong with columns of which these that the agent speaks are missing; null if none is. */
export function missingColumns(present: readonly string[], spoken: readonly string[]): UnusableFile | null {
  const missing = spoken.filter((name) => !present.includes(name));
  if (missing.length === 0) return null;
  const words = missing.slice(0, mostNamed).map((name) => `{{${name.slice(0, longestShown)}}}`);
  const more = missing.length > mostNamed ? ` and ${missing.length - mostNamed} more` : '';
  return new UnusableFile(
    `The agent says ${words.join(', ')}${more}, and no column fills ${missing.length === 1 ? 'it' : 'them'}. ` +
      'Name a column so, or send unfilledPlaceholders=allow to have nothing said in that place.',
  );
}
