import { InvalidArgumentError } from 'commander';
import { highestMaxCost } from '../../domain/account/money.js';

/** Parses a command line value as a number in a range; for commander's options. */
export const numberBetween =
  (least: number, most: number, whole = true) =>
  (text: string): number => {
    const value = Number(text);
    if (
      text.trim() === '' ||
      !Number.isFinite(value) ||
      value < least ||
      value > most ||
      (whole && !Number.isInteger(value))
    ) {
      throw new InvalidArgumentError(`${whole ? 'A whole number' : 'A number'} from ${least} to ${most}.`);
    }
    return value;
  };

/** The same from 1, or the word for no limit. */
export const numberOrNone =
  (most: number) =>
  (text: string): number | 'none' =>
    text === 'none' ? text : numberBetween(1, most)(text);

/** An amount of money from a millionth, or the word for no limit. */
export const amountOrNone = (text: string): number | 'none' =>
  text === 'none' ? text : numberBetween(0.000_001, highestMaxCost, false)(text);

export const port = numberBetween(0, 65_535);
export const speed = numberBetween(0.1, 1000, false);
