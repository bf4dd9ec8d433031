import { z } from 'zod';
import { timelineBounds } from '../../db/queries/figures/timeline.js';
import { endOf, Timeline, timelineBody, timelineQuery } from '../batch-calls/timeline-body.js';
import { operation } from '../operation.js';

const dayMs = 86_400_000;

/** GET /v1/stats/timeline */
export const getStatsTimeline = operation({
  name: 'stats.getTimeline',
  method: 'GET',
  url: '/v1/stats/timeline',
  family: 'account',
  tag: 'Account',
  schema: {
    summary: 'Get how all outbound calls went over time',
    description:
      'Of batch calls and single calls together, also of batch calls that were deleted since. Without `from` the 24 hours ' +
      'before `to`, without `to` until now.',
    query: z.object(timelineQuery),
    response: { 200: Timeline },
  },

  async handler({ query, caller: { accountId } }, { database: { db } }) {
    const owner = { accountId, batchId: null };
    const bounds = await timelineBounds(db, owner);
    const until = query.to === undefined ? new Date(bounds.now.getTime() + 1) : endOf(query.to);
    const shown = { from: new Date(until.getTime() - dayMs), until };
    return { status: 200, body: await timelineBody(db, owner, query, bounds, shown) };
  },
});
