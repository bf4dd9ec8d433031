import type { FileExtension } from './contacts.js';
import { csvSheet } from './csv-sheet.js';
import type { Sheet } from './sheet.js';
import { UnusableFile } from './unusable-file.js';
import { looksLikeWorkbook, workbookSheet } from './workbook-sheet.js';

/** The rows of an uploaded file, by its extension. */
export function openSheet(bytes: Buffer, extension: FileExtension): Sheet {
  if (bytes.length === 0) throw new UnusableFile('The file is empty.');
  if (extension !== 'csv') return workbookSheet(bytes);
  if (looksLikeWorkbook(bytes)) {
    throw new UnusableFile('The file is an Excel workbook named .csv. Name it .xlsx or .xls, or save it as CSV.');
  }
  return csvSheet(bytes);
}
