import { type MissingPlus, readNumberCell } from '../domain/phone/phone-number-cell.js';
import type { FileExtension } from './contacts.js';
import { type Header, headerOf, readHeader } from './header.js';
import { openSheet } from './open-sheet.js';
import type { NumberFault } from '../domain/batch/row-reasons.js';
import { isBlankRow, valueOf } from './cells.js';

/** A row whose number cannot be read. */
export interface UnreadNumber {
  /** As a spreadsheet shows it: the header is row 1. */
  readonly row: number;
  /** The cell as the file has it, its first 200 characters. */
  readonly value: string;
  readonly reason: NumberFault;
  readonly message: string;
}

export interface NumbersOfFile {
  /** E.164, each once, in the file's order. */
  readonly numbers: readonly string[];
  /** All rows that could not be read; blank rows are none. */
  readonly rejected: number;
  /** The first of them. */
  readonly firstRejected: readonly UnreadNumber[];
}

/**
 * Reads the phone_number column of a CSV, XLS or XLSX file and nothing else.
 *
 * @param mostListed rejected rows that are listed; the others are only counted
 * @throws UnusableFile if the file cannot be read or has no phone_number column
 */
export async function readNumbers(
  bytes: Buffer,
  extension: FileExtension,
  { missingPlus, mostListed }: { readonly missingPlus: MissingPlus; readonly mostListed: number },
): Promise<NumbersOfFile> {
  let header: Header | undefined;
  const numbers = new Set<string>();
  const firstRejected: UnreadNumber[] = [];
  let rejected = 0;
  for await (const block of openSheet(bytes, extension)) {
    const { firstRow, rows } = block;
    for (const [index, cells] of rows.entries()) {
      if (header === undefined) {
        header = headerOf(block);
        continue;
      }
      const cell = cells[header.numberIndex] ?? '';
      if (isBlankRow(cells, header.numberIndex)) continue;
      const reading = readNumberCell(cell, missingPlus);
      if ('phoneNumber' in reading) numbers.add(reading.phoneNumber);
      else {
        rejected += 1;
        if (firstRejected.length < mostListed) {
          const { fault: reason, message } = reading;
          firstRejected.push({ row: firstRow + index, value: valueOf(cell), reason, message });
        }
      }
    }
    // Other work of the process goes on between pieces of the file.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (header === undefined) readHeader([]);
  return { numbers: [...numbers], rejected, firstRejected };
}
