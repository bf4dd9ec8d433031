import { z } from 'zod';
import { isAllowedNumberForm } from '../domain/phone/allowed-number.js';
import { e164Problem } from '../domain/phone/phone-number.js';

/** A text of 1 to `most` characters. */
export const text = (most: number) => z.string().min(1).max(most);

/** A text on one line: SIP headers are made of it, and a line break would begin another. */
export const lineOfText = (most: number) =>
  text(most).refine((value) => !/\p{Cc}/u.test(value), 'must be on one line, without control characters');

/** A phone number exactly as E.164 writes it. */
export const e164 = () =>
  z
    .string()
    .superRefine((value, context) => {
      const problem = e164Problem(value);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    })
    .meta({ examples: ['+14155550100'] });

/** An E.164 number, or the beginning of numbers followed by `*`. */
export const allowedNumber = () =>
  z.string().superRefine((entry, context) => {
    if (isAllowedNumberForm(entry)) return;
    context.addIssue({ code: 'custom', message: 'must be an E.164 number, or a prefix that ends in * such as +91*' });
  });

/** The caller's own data: an object of whatever JSON, kept as it is. */
export const ownData = () => z.record(z.string(), z.unknown());

/** Whether a value would take more than so many bytes as JSON. */
export const isLargerThan = (value: object, bytes: number): boolean => Buffer.byteLength(JSON.stringify(value)) > bytes;

/** Repeats in a list: index of each and of its first. */
export function repeatsIn(values: readonly unknown[]): { readonly index: number; readonly first: number }[] {
  return values.flatMap((value, index) => {
    const first = values.indexOf(value);
    return first < index ? [{ index, first }] : [];
  });
}

const Instant = z.iso
  .datetime({ precision: 3 })
  .meta({ id: 'Instant', description: 'ISO 8601, in UTC, to the millisecond', examples: ['2026-03-02T09:30:00.000Z'] });

/** An ISO 8601 instant in UTC with milliseconds. */
export const instant = () => Instant;

/** A field of a PATCH that null takes back to its default, or removes. */
export const clearable = <Schema extends z.ZodType>(schema: Schema) => {
  const field = schema.nullish();
  return schema.description === undefined ? field : field.describe(schema.description);
};
