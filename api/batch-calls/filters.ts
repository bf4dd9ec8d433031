import { z } from 'zod';

/** Values of one parameter. */
const mostAsked = 100;

/** Texts that are comma-separated, repeated, or both. */
const texts = () =>
  z
    .union([z.string(), z.array(z.string())])
    .default('')
    .transform((sent) =>
      [sent]
        .flat()
        .flatMap((text) => text.split(','))
        .map((text) => text.trim())
        .filter((text) => text !== ''),
    );

/**
 * A query parameter that takes several of these values: comma-separated, repeated, or both. Omitted or empty: all.
 */
export const someOf = <const T extends readonly [string, ...string[]]>(values: T, meaning: string) =>
  texts()
    .pipe(z.array(z.enum(values, `must be one or more of ${values.join(', ')}`)))
    .describe(`${meaning}: one or more of ${values.join(', ')}, comma-separated`);

/** The same for values of a list that may grow. */
export const someThat = <T extends string>(isListed: (text: string) => text is T, wrong: string, meaning: string) =>
  texts()
    .pipe(z.array(z.custom<T>((text) => typeof text === 'string' && isListed(text), wrong)).max(mostAsked))
    .describe(meaning);

/** The same for whole numbers. */
export const wholeNumbers = (least: number, most: number, meaning: string) =>
  texts()
    .transform((sent) => sent.map((text) => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN)))
    .pipe(
      z
        .array(
          z.custom<number>(
            (value) => typeof value === 'number' && value >= least && value <= most,
            `must be whole numbers from ${least} to ${most}, comma-separated`,
          ),
        )
        .max(mostAsked),
    )
    .describe(meaning);

/** A text to look for. Trimmed: the + of a phone number arrives as a space if the client did not encode it. */
export const searchText = (meaning: string) => z.string().trim().max(256).default('').describe(meaning);

/** Latest instant that a Date holds. */
const latestMs = 8_640_000_000_000_000;

/** An instant in milliseconds since 1970. */
export const epochMilliseconds = (meaning: string) =>
  z
    .string()
    .regex(/^\d{1,16}$/, 'must be whole milliseconds since 1970')
    .transform(Number)
    .refine((ms) => ms <= latestMs, { error: 'must be whole milliseconds since 1970' })
    .transform((ms) => new Date(ms))
    .optional()
    .describe(meaning);

const range = /^(\d{1,6}(?:\.\d{1,3})?)?-(\d{1,6}(?:\.\d{1,3})?)?$/;
const isRange = (text: string): boolean => {
  const [, least, most] = range.exec(text) ?? [];
  if (least === undefined || most === undefined) return (least ?? most) !== undefined;
  return Number(least) <= Number(most);
};

/** A range of seconds: `30-120`, `60-` or `-10`, its ends included. Omitted or empty: all. */
export const secondsRange = (meaning: string) =>
  z
    .string()
    .trim()
    .refine((text) => text === '' || isRange(text), 'must be a range of seconds, such as 30-120, 60- or -10')
    .optional()
    .transform((text) => {
      if (text === undefined || text === '') return undefined;
      const [, least, most] = range.exec(text) ?? [];
      const seconds = (part: string | undefined) => (part === undefined ? undefined : Number(part));
      return { least: seconds(least), most: seconds(most) };
    })
    .describe(`${meaning}: 30-120, 60- or -10`);

/** `true` or `false`; omitted: both. */
export const yesOrNo = (meaning: string) =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .transform((text) => text === 'true')
    .optional()
    .describe(meaning);
