import type { Header } from './header.js';

/** Most UTF-8 bytes of one call's metadata as JSON (docs/conformance.md, Batch calls: rows: 16 KB). */
export const maxMetadataBytes = 16 * 1024;

/**
 * Makes the writer of a row's metadata: a JSON object of strings, one per named column beside phone_number, a missing
 * cell as an empty string. The text is built without an object in between, so a column named `__proto__` or
 * `constructor` is a name like any other, and the text goes into COPY as it is. Metadata that does not fit may end
 * anywhere.
 */
export function metadataWriter(header: Header): (cells: readonly string[]) => string {
  const columns = header.metadataColumns.map(({ index, name }, position) => ({
    index,
    opening: `${position === 0 ? '{' : ','}${JSON.stringify(name)}:`,
  }));
  if (columns.length === 0) return () => '{}';
  return (cells) => {
    let json = '';
    for (const { index, opening } of columns) {
      json += opening + JSON.stringify(cells[index] ?? '');
      // The rest cannot make it fit, and may be 200 times as long.
      if (json.length > maxMetadataBytes) return json;
    }
    return `${json}}`;
  };
}

/** Whether a row's metadata is within the limit. */
export const metadataFits = (json: string): boolean =>
  // No character takes more than three bytes per UTF-16 unit: short texts need no counting.
  json.length * 3 <= maxMetadataBytes || Buffer.byteLength(json) <= maxMetadataBytes;
