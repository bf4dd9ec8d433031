import { z } from 'zod';
import { expected } from '../input/field-problems.js';
import { shapeProblem } from '../input/json-shape.js';

/** Characters as a person counts them: an emoji is one, even if it takes two code units. */
export const atMost = (limit: number) =>
  z
    .string()
    .refine((text) => Array.from(text).length <= limit, { error: `must have at most ${limit} characters` })
    // Postgres stores neither NUL nor half a surrogate pair.
    .refine((text) => !/\0|\p{Surrogate}/u.test(text), { error: 'must not contain NUL or broken characters' });

/** A field whose text is JSON. The word null counts as omitted, as in a JSON body. */
export const json = <T extends z.ZodType>(content: T, example: string) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        const value: unknown = JSON.parse(text);
        const problem = shapeProblem(value);
        if (problem === null) return value;
        context.addIssue(problem.message);
        return z.NEVER;
      } catch {
        context.addIssue(`must be JSON, such as ${example}`);
        return z.NEVER;
      }
    })
    .pipe(content.nullable());

/** A text that a rule may find wrong, in the rule's own words. */
export const textWith = (problemOf: (text: string) => string | null, words: string) =>
  z.string(expected(words)).superRefine((text, context) => {
    const problem = problemOf(text);
    if (problem !== null) context.addIssue(problem);
  });

/** A field of the form that is a text, and how the reference shows it. */
export const text = <T extends z.ZodType>(reads: T, description: string) => ({
  reads,
  shown: z.string().optional().describe(description),
  inJson: z.string().optional().describe(description),
});

/** A field of the form whose text is JSON, and its value in a JSON body. */
export const jsonText = <T extends z.ZodType>(content: T, example: string, description: string) => ({
  reads: json(content, example),
  shown: z.string().optional().describe(`JSON ${description}`),
  inJson: content.optional().describe(description),
});

/** A field of the form that is one of these words. */
export const choice = <const T extends readonly [string, ...string[]]>(values: T, description: string) => ({
  reads: z.enum(values, `must be one of ${values.join(', ')}`),
  shown: z.enum(values).optional().describe(description),
  inJson: z.enum(values).optional().describe(description),
});
