/** Files that people send by mistake, by how they begin: what to call each, and what to do instead. */
const kinds: readonly (readonly [begins: RegExp, what: string, remedy: string])[] = [
  [
    /^(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body|table|div|meta)\b/i,
    'a web page (HTML)',
    'Open it in a spreadsheet program and save it as CSV, or download the table itself.',
  ],
  [/^<\?xml|^<[a-z][\w:-]*[\s>]/i, 'an XML file', 'Open it in a spreadsheet program and save it as CSV.'],
  [/^%PDF-/, 'a PDF', 'Export the table from the program that made it, as CSV or .xlsx.'],
  [/^\{\\rtf/, 'a text document (RTF)', 'Copy its table into a spreadsheet and save that as CSV.'],
  [/^(?:\[\s*[{["]|\{\s*")/, 'JSON', 'Convert it to a table with one row for each number, and save that as CSV.'],
  [
    /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF[\s\S]{4}WEBP|BM[\s\S]{4}\0)/,
    'a picture',
    'Send the table itself, as CSV or .xlsx.',
  ],
  [/^PK\p{Cc}/u, 'a ZIP archive', 'Unpack it and send the spreadsheet in it.'],
  [/^\p{Cc}\x8b|^7z\xbc\xaf|^Rar!|^BZh/u, 'a compressed archive', 'Unpack it and send the spreadsheet in it.'],
  [/^SQLite format 3/, 'a database', 'Export its table as CSV.'],
];

/**
 * What to tell the sender of a file that is named like a spreadsheet and is something else; null if it is not recognised.
 *
 * @param named the extension that the file has
 */
export function otherKind(bytes: Buffer, named: string): string | null {
  const start = bytes
    .toString('latin1', 0, 1_024)
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  const found = kinds.find(([begins]) => begins.test(start));
  return found === undefined
    ? null
    : `The file is ${found[1]} named .${named}${named === 'csv' ? '' : ', not an Excel workbook'}. ${found[2]}`;
}
