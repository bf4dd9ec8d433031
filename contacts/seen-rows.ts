import { createHash } from 'node:crypto';

/** Metadata longer than this is remembered by its digest, so that what is remembered stays small whatever the rows hold. */
const longestKept = 64;

/**
 * Remembers rows and says whether one repeats an earlier one (docs/conformance.md, Batch calls: rows). With `call` a
 * row is a repetition if number and metadata are the same; with `skip`, if the number is.
 *
 * @returns a function that gives the row number of the first such row, or null if this is the first
 */
export function rememberRows(
  duplicates: 'call' | 'skip',
): (row: number, phoneNumber: string, metadataJson: string) => number | null {
  const firstRows = new Map<string, number>();
  return (row, phoneNumber, metadataJson) => {
    const key = duplicates === 'skip' || metadataJson === '{}' ? phoneNumber : phoneNumber + fingerprint(metadataJson);
    const firstRow = firstRows.get(key);
    if (firstRow !== undefined) return firstRow;
    firstRows.set(key, row);
    return null;
  };
}

const fingerprint = (metadataJson: string): string =>
  metadataJson.length <= longestKept ? metadataJson : createHash('sha256').update(metadataJson).digest('base64');
