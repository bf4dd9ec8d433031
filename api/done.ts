import { z } from 'zod';

/**
 * Answer of an operation that leaves nothing to show.
 *
 * @param example the words that it answers
 */
export const doneWith = (example: string) =>
  z
    .strictObject({ message: z.string().describe('Says what has been done') })
    .meta({ examples: [{ message: example }] });
