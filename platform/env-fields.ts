import { z } from 'zod';

/** A setting that is on or off. */
export const flag = (meaning: string) =>
  z
    .enum(['true', 'false', '1', '0', ''])
    .default('false')
    .transform((value) => value === 'true' || value === '1')
    .describe(meaning);

const itemsOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Words separated by commas. */
export const list = (fallback: string, meaning: string) =>
  z.string().default(fallback).transform(itemsOf).describe(meaning);

/** A list separated by commas, each item checked; unset, not empty, if there is no such list. */
export const checkedList = (isItem: (item: string) => boolean, words: string, meaning: string) =>
  z
    .string()
    .transform(itemsOf)
    .superRefine((items, context) => {
      const strangers = items.filter((item) => !isItem(item));
      if (strangers.length === 0 && items.length > 0) return;
      context.addIssue({
        code: 'custom',
        message: `${words}${strangers.length > 0 ? `, not ${strangers.join(', ')}` : ''}`,
      });
    })
    .optional()
    .describe(meaning);
