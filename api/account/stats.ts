import { z } from 'zod';
import { currencyOf } from '../../db/queries/accounts/prices.js';
import { figuresOfAccount, lastDayOfAccount } from '../../db/queries/figures/figures.js';
import { invalid } from '../../domain/errors.js';
import { by, figureRowBody, FigureRowBody, statsCurrency } from '../batch-calls/figures.js';
import { operation } from '../operation.js';

const mostDays = 366;
const usualDays = 30;
const dayMs = 86_400_000;

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const day = (meaning: string) => z.iso.date({ error: 'must be a date: YYYY-MM-DD' }).describe(meaning);

const AccountStats = z
  .strictObject({
    from: day('First day'),
    to: day('Last day'),
    by: by.describe('As it was asked for'),
    currency: statsCurrency,
    rows: z.array(FigureRowBody).describe('What calls and attempts that are over came to'),
  })
  .meta({
    id: 'AccountStats',
    examples: [
      {
        ...{ from: '2027-03-01', to: '2027-03-30', by: 'hour' },
        rows: [
          {
            key: '09',
            calls: 120,
            attempts: 180,
            answered: 75,
            human: 60,
            machine: 14,
            success: 21,
            talkSeconds: 4012.5,
          },
        ],
      },
    ],
  });

/** GET /v1/stats */
export const getStats = operation({
  name: 'stats.get',
  method: 'GET',
  url: '/v1/stats',
  family: 'account',
  tag: 'Account',
  schema: {
    summary: 'Get what all outbound calls came to',
    description:
      'Of batch calls and single calls together, also of batch calls that were deleted since. At most 366 days; calls that ' +
      'were never dialed count on the day (UTC) on which they ended.',
    query: z.object({
      by: by.default('day'),
      from: day('First day, by the callees’ clocks; default 29 days before `to`').optional(),
      to: day('Last day; default today (UTC), or tomorrow if it has calls').optional(),
    }),
    response: { 200: AccountStats },
  },

  async handler({ query, caller: { accountId } }, { database, clock }) {
    const to = query.to ?? (await lastDayOfAccount(database.db, accountId, isoDay(clock().getTime())));
    const from = query.from ?? isoDay(Date.parse(to) - (usualDays - 1) * dayMs);
    const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
    if (days < 1 || days > mostDays) {
      const message =
        days < 1 ? 'must not be before from' : `must be less than ${mostDays} days after from: ask for fewer days`;
      throw invalid('The request is not valid', [{ path: 'to', code: 'OUT_OF_RANGE', message }]);
    }
    const [rows, currency] = await Promise.all([
      figuresOfAccount(database.db, accountId, { from, to }, query.by),
      currencyOf(database.db, accountId),
    ]);
    return {
      status: 200,
      body: {
        ...{ from, to, by: query.by },
        ...(currency === null ? {} : { currency }),
        rows: rows.map((row) => figureRowBody(row, currency)),
      },
    };
  },
});
