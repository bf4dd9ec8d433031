import { z } from 'zod';
import { figureDimensions, type FigureRow } from '../../domain/batch/figures.js';
import { pricedAmount } from '../cost.js';

export const by = z
  .enum(figureDimensions)
  .describe(
    'Adds `rows`. hour (00 to 23) and day: when an attempt was dialed, by the callee’s clock; status and reason: how ' +
      'attempt and call ended',
  );

export const FigureRowBody = z
  .strictObject({
    key: z.string().nullable().describe('Such as the hour; null: none, because it was never dialed or not answered'),
    calls: z
      .int()
      .describe('Calls that are over, each under its last attempt or how it ended; all rows are all of them'),
    attempts: z.int().describe('Attempts that are over; all rows are all of them'),
    answered: z.int().describe('Attempts that were answered'),
    human: z.int().describe('Of these by a person; one of which it is not known is in neither'),
    machine: z.int().describe('Of these by a machine'),
    success: z.int().describe('Attempts that achieved their purpose, by the analysis; it may come later'),
    talkSeconds: z.number().describe('How long these lasted'),
    cost: z
      .number()
      .nullable()
      .optional()
      .describe('In `currency`; null: no price. Omitted if the account has no prices'),
    withoutPrice: z.int().optional().describe('Answered attempts that no price fitted: not in cost'),
  })
  .meta({
    id: 'FigureRow',
    examples: [
      { key: '09', calls: 120, attempts: 180, answered: 75, human: 60, machine: 14, success: 21, talkSeconds: 4012.5 },
    ],
  });

/** Of all costs beside it. */
export const statsCurrency = z.string().optional().describe('Of `cost`; omitted if the account has no prices');

/** @param currency null: the account has no prices */
export const figureRowBody = (
  { costMicros, unpriced, ...row }: FigureRow,
  currency: string | null,
): z.output<typeof FigureRowBody> => ({
  ...row,
  ...(currency === null ? {} : { cost: pricedAmount({ costMicros, unpriced }), withoutPrice: unpriced }),
});
