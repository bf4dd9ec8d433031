import { typedNumber } from './typed-number.js';

/** Units that a delay before a retry is written in, with how many seconds each has. */
export const units = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const;
export type Unit = keyof typeof units;

/** A delay before a retry as it is typed. */
export interface Delay {
  readonly count: string;
  readonly unit: Unit;
}

/** A delay in the largest unit that gives a whole number. */
export function delayOf(seconds: number): Delay {
  const [unit] = (['days', 'hours', 'minutes'] as const).filter((each) => seconds % units[each] === 0);
  return { count: String(seconds / units[unit ?? 'seconds']), unit: unit ?? 'seconds' };
}

/** The delays in seconds; NaN for what is no number. */
export const delaySeconds = (delays: readonly Delay[]): readonly number[] =>
  delays.map(({ count, unit }) => typedNumber(count) * units[unit]);
