import { z } from 'zod';
import { maxCostProblem } from '../account/money.js';
import { expected } from '../input/field-problems.js';
import { readInstant } from './dialing-order.js';
import { jsonText, text } from './form-field-kinds.js';
import { mostBeforeStop, mostDaysUntil } from './stops.js';

const stopCount = (what: string) =>
  z
    .int(`must be a whole number from 1 to ${mostBeforeStop}`)
    .min(1, 'must be at least 1')
    .max(mostBeforeStop, `must be at most ${mostBeforeStop}`)
    .describe(what);

const exampleStop = '{"answered":100}';

/** After how many answers or successes a batch stops. */
const StopAfter = z
  .union(
    [
      z.strictObject({ answered: stopCount('Their status') }),
      z.strictObject({ success: stopCount('By their analysis') }),
    ],
    {
      error: (issue) => {
        const names = typeof issue.input === 'object' && issue.input !== null ? Object.keys(issue.input) : [];
        return names.length === 1 && (names[0] === 'answered' || names[0] === 'success')
          ? `must have a whole number from 1 to ${mostBeforeStop} as ${names[0]}`
          : `must have answered or success, one of the two, such as ${exampleStop}`;
      },
    },
  )
  .meta({ id: 'StopAfter', description: 'When nobody else is called' });

const stopWords =
  '{answered: n} or {success: n}: nobody else is called once so many calls are answered, or a success by their analysis. Live calls go on and count.';

const Until = z.string(expected('must be an instant such as 2027-03-01T18:00:00Z')).transform((text, context) => {
  const at = readInstant(text);
  if (at !== null) return at;
  context.addIssue('must be an instant with its offset, such as 2027-03-01T18:00:00Z');
  return z.NEVER;
});
const untilWords = `ISO 8601 with an offset, after the start, at most ${mostDaysUntil} days ahead: no call starts then or later.`;

const amountProblem = 'must be an amount such as 250 or 12.5';

const judged = (amount: number, context: z.core.$RefinementCtx): void => {
  const message = maxCostProblem(amount);
  if (message !== null) context.addIssue(message);
};
const maxCostWords =
  'In the currency of the account’s prices, which it must have: once calls have cost as much, nobody else is called. Live calls go ' +
  'on, so it can be exceeded by what they cost.';
const MaxCost = () => z.number(amountProblem).superRefine(judged);

/** When a batch stops by itself; each field as in form-fields.ts. */
export const stopFields = {
  stopAfter: {
    ...jsonText(StopAfter, exampleStop, stopWords),
    changed: StopAfter.nullish().describe('Until it stops or ends; at once if there are as many. null: never'),
    answered: StopAfter.optional(),
  },
  until: {
    ...text(Until, untilWords),
    changed: Until.nullish().describe('Until it stops or ends; as in create. null: at no instant'),
    answered: z.string().optional().describe('ISO 8601, UTC: no call starts then or later'),
  },
  maxCost: {
    ...text(
      z
        .string()
        .regex(/^\d+(\.\d+)?$/, amountProblem)
        .transform(Number)
        .superRefine(judged),
      maxCostWords,
    ),
    inJson: MaxCost().optional().describe(maxCostWords),
    changed: MaxCost().nullish().describe('Until it stops or ends; at once if it has cost as much. null: any amount'),
    answered: z.number().optional().describe('Once calls have cost as much, nobody else is called'),
  },
};
