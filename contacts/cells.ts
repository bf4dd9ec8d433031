import { unsavedFormula } from '../domain/phone/phone-number-cell.js';

const longestValue = 200;

/** A cell of the phone_number column as rejected rows show it. */
export const valueOf = (cell: string): string => (cell === unsavedFormula ? '' : cell.slice(0, longestValue));

export const isBlankCell = (cell: string): boolean => cell === '' || cell === unsavedFormula || cell.trim() === '';

/** Whether nobody is meant by a row: a formula without its result may stand for somebody in the phone_number column only. */
export const isBlankRow = (cells: readonly string[], numberIndex: number): boolean =>
  cells.every(isBlankCell) && cells[numberIndex] !== unsavedFormula;

/** The cells of a row beside the number: formulas without their result are empty. */
export const withoutFormulas = (cells: readonly string[]): readonly string[] =>
  cells.includes(unsavedFormula) ? cells.map((cell) => (cell === unsavedFormula ? '' : cell)) : cells;
