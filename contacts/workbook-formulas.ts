/** Bytes of a cell that are looked at: attributes, formula and result. A longer one counts as without its result. */
const longestCell = 100_000;

/** An empty text is a result, too: programs that calculate store it so. */
const emptyText = /^<c\s[^>]*\bt="str"/;
const result = /<v(?:\s[^>]*)?>[^<]|<is[\s>]/;
const formula = /^<f[\s>/]/;

/**
 * Whether a cell of the workbook may have a formula without its result, as in files that no spreadsheet program has saved. Only
 * their formulas are read with their cells: that takes more memory and time.
 *
 * @param bytes of an archive whose parts are stored without compression
 */
export function hasUnsavedFormula(bytes: Uint8Array): boolean {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = archive.indexOf('<f'); at !== -1; at = archive.indexOf('<f', at + 2)) {
    if (!formula.test(archive.toString('latin1', at, at + 3))) continue;
    const end = archive.indexOf('</c>', at);
    if (end === -1) return false;
    const last = Math.min(end, at + longestCell);
    if (result.test(archive.toString('latin1', at, last))) continue;
    const start = archive.lastIndexOf('<c ', at);
    if (!emptyText.test(archive.toString('latin1', start, at))) return true;
  }
  return false;
}
