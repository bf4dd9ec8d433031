import { z } from 'zod';
import { timelineBounds } from '../../db/queries/figures/timeline.js';
import { asBatchStatus, isFinished } from '../../domain/batch/batch-call.js';
import { operation } from '../operation.js';
import { requireBatchStats } from './detail.js';
import { batchIdParams } from './schema.js';
import { Timeline, timelineBody, timelineQuery } from './timeline-body.js';

/** GET /v1/batch-calls/{batchId}/timeline */
export const getBatchTimeline = operation({
  name: 'batchCalls.getTimeline',
  method: 'GET',
  url: '/v1/batch-calls/:batchId/timeline',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: 'Get how the calls of a batch call went over time',
    description:
      'From its first call to its last; of one that is not finished, to now. An attempt that the carrier did not take, and ' +
      'that was dialed again, counts when it was dialed last.',
    params: batchIdParams,
    query: z.object(timelineQuery),
    response: { 200: Timeline },
  },

  async handler({ params: { batchId }, query, caller: { accountId } }, { database: { db } }) {
    const { status } = await requireBatchStats(db, accountId, batchId);
    const owner = { accountId, batchId };
    const bounds = await timelineBounds(db, owner);
    const { first, last, now } = bounds;
    const end = isFinished(asBatchStatus(status)) ? (last ?? now) : now;
    const shown = { from: first, until: new Date(end.getTime() + 1) };
    return { status: 200, body: await timelineBody(db, owner, query, bounds, shown) };
  },
});
