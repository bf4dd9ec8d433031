/** A record of a CSV file, with the number that a spreadsheet gives its row: the header is row 1. */
export interface SheetRow {
  readonly row: number;
  readonly cells: readonly string[];
}

/** The beginning of a file of recipients. */
export interface Sheet {
  readonly headers: readonly string[];
  /** Rows that are not blank, from the first on. */
  readonly rows: readonly SheetRow[];
}

const delimiters = [',', ';', '\t'] as const;
/** Excel reads a first line such as `sep=;` as the delimiter and does not show it as a row. */
const excelDelimiterLine = /^sep=([,;\t])\r?\n/i;

/** Text of a file, by the encodings that the service reads: UTF-8, UTF-16 with its mark, else Windows-1252. */
export function textOfBytes(bytes: Uint8Array): string {
  const mark = `${bytes[0] ?? 0},${bytes[1] ?? 0}`;
  const utf16 = mark === '255,254' ? 'utf-16le' : mark === '254,255' ? 'utf-16be' : null;
  if (utf16 !== null) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Records of CSV, quoted as RFC 4180 has it, one after the other. */
function* recordsOf(text: string, delimiter: string): Generator<readonly string[]> {
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell === '') isQuoted = true;
    else if (sign === delimiter) {
      cells.push(cell);
      cell = '';
    } else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text.charAt(at + 1) === '\n') at += 1;
      yield [...cells, cell];
      cells = [];
      cell = '';
    } else cell += sign;
  }
  if (cell !== '' || cells.length > 0) yield [...cells, cell];
}

const headersOf = (text: string, delimiter: string): readonly string[] => {
  const first = recordsOf(text, delimiter).next();
  return first.done === true ? [] : first.value.map((cell) => cell.trim());
};

/** The delimiter under which the header has a phone_number column, else the one that gives it the most columns. */
function delimiterOf(text: string): string {
  const readings = delimiters.map((delimiter) => ({ delimiter, headers: headersOf(text, delimiter) }));
  const named = readings.filter(({ headers }) => headers.includes('phone_number'));
  return (named.length > 0 ? named : readings).reduce((best, next) =>
    next.headers.length > best.headers.length ? next : best,
  ).delimiter;
}

/**
 * The beginning of a CSV file, divided as the service divides it (contacts/csv-sheet.ts).
 *
 * @param most rows that are read
 */
export function sheetOf(whole: string, most: number): Sheet {
  const clean = whole.replaceAll('\u{feff}', '').replaceAll('\0', '');
  const stated = excelDelimiterLine.exec(clean);
  const text = stated === null ? clean : clean.slice(stated[0].length);
  const delimiter = stated?.[1] ?? delimiterOf(text);
  const rows: SheetRow[] = [];
  let row = 0;
  for (const cells of recordsOf(text, delimiter)) {
    row += 1;
    if (row > 1 && cells.some((cell) => cell.trim() !== '')) rows.push({ row, cells });
    if (rows.length >= most) break;
  }
  return { headers: headersOf(text, delimiter), rows };
}

/** What is pasted, as CSV: bare numbers get a header, and a table that has one stays as it is. */
export function csvOfPasted(text: string): string {
  if (/\p{L}/u.test(text)) return text;
  const numbers = text.split(/[\n\r,;\t]+/).flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
  return `phone_number\n${numbers.join('\n')}\n`;
}
