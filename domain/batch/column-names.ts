import { z } from 'zod';
import { expected } from '../input/field-problems.js';

/** Most columns of a file, phone_number among them, and different names in the metadata of one batch. */
export const mostColumns = 200;
/** Most characters of a column's name: every call's metadata repeats it. */
export const longestColumnName = 1_000;

const columnName = z
  .string(expected('must be a text'))
  .trim()
  .min(1, 'must not be empty')
  .max(longestColumnName, `must have at most ${longestColumnName} characters`)
  // Postgres stores neither NUL nor half a surrogate pair.
  .refine((text) => !/\0|\p{Surrogate}/u.test(text), 'must not contain NUL or broken characters');

/** Headers of a file by the names that they get. */
export const ColumnNames = z
  .record(columnName, columnName, 'must be an object such as {"phone_number":"Mobile"}')
  .superRefine((names, context) => {
    const headers = Object.values(names);
    if (headers.length > mostColumns) context.addIssue(`must have at most ${mostColumns} entries`);
    for (const [index, header] of headers.entries()) {
      if (headers.indexOf(header) === index) continue;
      context.addIssue(`names the header ${JSON.stringify(header.slice(0, 60))} more than once`);
    }
  });

export type ColumnNames = Readonly<z.output<typeof ColumnNames>>;
