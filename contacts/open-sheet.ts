import type { FileExtension } from './contacts.js';
import { csvSheet } from './csv-sheet.js';
import { otherKind } from './named-kinds.js';
import type { RowBlock } from './sheet.js';
import { UnusableFile } from './unusable-file.js';
import { looksLikeWorkbook } from './workbook-kind.js';

/** The rows of an uploaded file, by its extension. */
export async function* openSheet(bytes: Buffer, extension: FileExtension): AsyncGenerator<RowBlock> {
  if (bytes.length === 0) throw new UnusableFile('The file is empty.');
  const isWorkbook = looksLikeWorkbook(bytes);
  if (extension === 'csv') {
    if (isWorkbook) {
      throw new UnusableFile('The file is an Excel workbook named .csv. Name it .xlsx or .xls, or save it as CSV.');
    }
    const other = otherKind(bytes, extension);
    if (other !== null) throw new UnusableFile(other);
    yield* csvSheet(bytes);
    return;
  }
  if (!isWorkbook) {
    throw new UnusableFile(
      otherKind(bytes, extension) ??
        'The file is not an Excel workbook, whatever its name says. If it is a text file, name it .csv; else save it again from Excel.',
    );
  }
  // The library is large, and most files are CSV.
  const { workbookSheet } = await import('./workbook-sheet.js');
  yield* workbookSheet(bytes);
}
