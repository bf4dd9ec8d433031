const quote = 0x22;
const carriageReturn = 0x0d;
const newline = 0x0a;

/**
 * The line of the first quote that RFC 4180 does not allow: one inside an unquoted cell, or one that opens a cell which
 * is not properly closed. The CSV parser says that there is one, but knows rows and bytes, not the line where the cell
 * began, which may be thousands of lines before the place where it stumbles.
 *
 * @returns the line from 1 on, or null if every quote is in its place
 */
export function unbalancedQuoteLine(text: Buffer, delimiter: string): number | null {
  const delimiterByte = delimiter.charCodeAt(0);
  const endsCell = (byte: number | undefined): boolean =>
    byte === undefined || byte === delimiterByte || byte === newline || byte === carriageReturn;
  let line = 1;
  let openedOnLine: number | null = null;
  for (let index = 0; index < text.length; index += 1) {
    const byte = text[index];
    if (byte === newline || (byte === carriageReturn && text[index + 1] !== newline)) line += 1;
    if (byte !== quote) continue;
    if (openedOnLine === null) {
      if (index > 0 && !endsCell(text[index - 1])) return line;
      openedOnLine = line;
    } else if (text[index + 1] === quote) {
      index += 1;
    } else {
      if (!endsCell(text[index + 1])) return openedOnLine;
      openedOnLine = null;
    }
  }
  return openedOnLine;
}
