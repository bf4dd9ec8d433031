/** Bytes of a cell that are looked at from its formula on. A longer one counts as without its result. */
const longestCell = 100_000;
/** Bytes before the formula of a cell that are looked at: its attributes. */
const longestStart = 1_000;

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
  let next = 0;
  for (;;) {
    const at = archive.indexOf('<f', next);
    if (at === -1) return false;
    next = at + 2;
    if (!formula.test(archive.toString('latin1', at, at + 3))) continue;
    const cell = archive.subarray(at, at + longestCell);
    const end = cell.indexOf('</c>');
    // Goes on behind the cell: no byte is looked at again and again.
    next = at + (end === -1 ? cell.length : end);
    if (result.test(cell.toString('latin1', 0, next - at))) continue;
    const before = archive.toString('latin1', Math.max(0, at - longestStart), at);
    if (!emptyText.test(before.slice(before.lastIndexOf('<c ')))) return true;
  }
}
