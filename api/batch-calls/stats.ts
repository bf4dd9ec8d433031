import { z } from 'zod';
import { countsOf } from '../../db/queries/batches/batches.js';
import { figuresOfBatch } from '../../db/queries/figures/figures.js';
import { ofOneInstant } from '../../db/queries/one-instant.js';
import { answerRateOf, asBatchStatus, batchStatuses, totalOf } from '../../domain/batch/batch-call.js';
import { batchCostBody, batchCostField } from '../cost.js';
import { operation } from '../operation.js';
import { requireBatchStats } from './detail.js';
import { by, figureRowBody, FigureRowBody, statsCurrency } from './figures.js';
import { batchIdParams, exampleBatchCall, callCounts, exampleCounts } from './schema.js';

const BatchStats = z
  .strictObject({
    batchId: z.string().describe('Id of the batch call'),
    status: z.enum(batchStatuses).describe('Its status'),
    total: z.int().describe('Calls of the batch: the sum of the numbers by status'),
    ...callCounts,
    answerRate: z
      .number()
      .describe('Share of the calls made to an end that were answered, 0 to 1; cancelled ones do not count'),
    averageDuration: z.number().describe('Seconds that an answered call lasted on average; 0 while none has'),
    attempts: z.int().describe('Times that a number was dialed, retries included'),
    ...batchCostField,
    by: by.optional(),
    currency: statsCurrency,
    rows: z.array(FigureRowBody).optional().describe('With `by`: what calls and attempts that are over came to'),
  })
  .meta({
    id: 'BatchStats',
    examples: [
      {
        batchId: exampleBatchCall.batchId,
        status: 'running',
        total: 2,
        ...exampleCounts,
        answerRate: 1,
        averageDuration: 54.2,
        attempts: 1,
      },
    ],
  });

/** GET /v1/batch-calls/{batchId}/stats */
export const getBatchStats = operation({
  name: 'batchCalls.getStats',
  method: 'GET',
  url: '/v1/batch-calls/:batchId/stats',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: 'Get the numbers of a batch call',
    description:
      'The numbers by status add up to `total` at every moment. `?by=` adds what calls and attempts that are over came to.',
    params: batchIdParams,
    query: z.object({ by: by.optional() }),
    response: { 200: BatchStats },
  },

  async handler({ params: { batchId }, query, caller }, { database }) {
    const { stats, rows } = await ofOneInstant(database.db, async (tx) => ({
      stats: await requireBatchStats(tx, caller.accountId, batchId),
      rows: query.by && (await figuresOfBatch(tx, caller.accountId, batchId, query.by)),
    }));
    const counts = countsOf(stats);
    return {
      status: 200,
      body: {
        batchId,
        status: asBatchStatus(stats.status),
        total: totalOf(counts),
        ...counts,
        answerRate: answerRateOf(counts),
        averageDuration: counts.answered === 0 ? 0 : Math.round((1000 * stats.talkSeconds) / counts.answered) / 1000,
        attempts: stats.attempts,
        ...batchCostBody(stats),
        ...(rows === undefined
          ? {}
          : {
              by: query.by,
              ...(stats.currency === null ? {} : { currency: stats.currency }),
              rows: rows.map((row) => figureRowBody(row, stats.currency)),
            }),
      },
    };
  },
});
