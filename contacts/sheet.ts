/** Rows of a sheet that follow each other. A blank row is there too, as no cells or empty ones: it counts in row numbers. */
export interface RowBlock {
  /** Row number of the first row, as a spreadsheet shows it: the header is row 1. */
  readonly firstRow: number;
  /** Cells as text, NULs removed; `unsavedFormula` for a formula without its result. A row may be shorter or longer than the header. */
  readonly rows: readonly (readonly string[])[];
  /** Of a workbook that shows several sheets, in the first block. */
  readonly sheets?: SheetNames;
}

/** Which sheet of a workbook is read, and which others are not. */
export interface SheetNames {
  readonly read: string;
  readonly others: readonly string[];
}

/** A sheet as blocks of rows from row 1 on, whatever file it comes from. Throws UnusableFile if the file cannot be read. */
export type Sheet = AsyncIterable<RowBlock>;

/** `A` for 0, `AA` for 26: the name a spreadsheet gives a column. */
export function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}
