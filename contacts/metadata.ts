import { maxMetadataBytes } from '../domain/batch/metadata-size.js';
import type { Header } from './header.js';

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
