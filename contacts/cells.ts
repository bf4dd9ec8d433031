import { unsavedFormula } from '../domain/phone/phone-number-cell.js';

const longestValue = 200;

/** A cell of the phone_number column as rejected rows show it. */
export const valueOf = (cell: string): string => (cell === unsavedFormula ? '' : cell.slice(0, longestValue));

export const isBlankCell = (cell: string): boolean => cell === '' || cell === unsavedFormula || cell.trim() === '';

/** Whether a row is blank. A formula without its result in the phone_number column may stand for a number, so that it is not. */
export const isBlankRow = (cells: readonly string[], numberIndex: number): boolean =>
  cells.every(isBlankCell) && cells[numberIndex] !== unsavedFormula;

/** The cells of a row beside the number: formulas without their result are empty. */
export const withoutFormulas = (cells: readonly string[]): readonly string[] =>
  cells.includes(unsavedFormula) ? cells.map((cell) => (cell === unsavedFormula ? '' : cell)) : cells;
