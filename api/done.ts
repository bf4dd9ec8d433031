import { z } from 'zod';

const Done = z.strictObject({ message: z.string().describe('What was done, as a sentence') }).meta({ id: 'Done' });

/**
 * Answer of an operation that leaves nothing to show.
 *
 * @param example the words that it answers
 */
export const doneWith = (example: string) => Done.meta({ examples: [{ message: example }] });
