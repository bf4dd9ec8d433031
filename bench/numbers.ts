/**
 * Numbers whose last digits tell the simulated carrier what to do (docs/simulator.md): …07 answers and hangs up at once,
 * …11 is busy first and answers the second time.
 */
const answering = '07';
const busyFirst = '11';

/** Of ten numbers in a row, three are busy at first. */
export const isBusyFirst = (index: number): boolean => index % 10 < 3;

/** The number at this place, from 0 to 99,999; all are distinct. */
export const numberAt = (index: number): string =>
  `+1555${String(index).padStart(5, '0')}${isBusyFirst(index) ? busyFirst : answering}`;

/** A CSV file of some of them. */
export const csvOf = (from: number, to: number): string =>
  `phone_number\n${Array.from({ length: to - from }, (_, place) => numberAt(from + place)).join('\n')}\n`;

/** A CSV file of nothing but so many distinct numbers: 370,000 of them are 5.2 of the 5,242,880 bytes allowed. */
export function bareCsv(rows: number): Buffer {
  const numbers = Array.from({ length: rows }, (_, index) => `+91${9_000_000_000 + index * 7}\n`);
  return Buffer.from(`phone_number\n${numbers.join('')}`);
}
