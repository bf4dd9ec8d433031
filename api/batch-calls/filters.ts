import { z } from 'zod';

/**
 * A query parameter that takes several of these values: comma-separated, repeated, or both. Omitted or empty: all.
 */
export const someOf = <const T extends readonly [string, ...string[]]>(values: T, meaning: string) =>
  z
    .union([z.string(), z.array(z.string())])
    .default('')
    .transform((sent) =>
      [sent]
        .flat()
        .flatMap((text) => text.split(','))
        .map((text) => text.trim())
        .filter((text) => text !== ''),
    )
    .pipe(z.array(z.enum(values, `must be one or more of ${values.join(', ')}`)))
    .describe(`${meaning}: one or more of ${values.join(', ')}, comma-separated`);

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
