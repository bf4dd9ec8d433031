import { z } from 'zod';
import { type BatchDetailRow, countsOf } from '../../db/queries/batches/batches.js';
import { asBatchStatus, progressOf } from '../../domain/batch/batch-call.js';
import { batchCostBody, batchCostField } from '../cost.js';
import { type AppDeps, workersOf } from '../operation.js';
import { holdBody, holdFields } from './hold.js';
import { batchCallBody, batchCallFields, Counts, exampleCounts, exampleRunning, progress } from './schema.js';
import { exampleWaiting, waitingBody, waitingFields } from './waiting.js';

/** Whether the calls of a batch are played. */
export const simulated = z.boolean().describe('No telephone was reached: the carrier is a simulation');

/** A batch call as lists have it: how far it is, and what holds it. */
export const BatchCallItem = z
  .strictObject({
    ...batchCallFields,
    ...holdFields,
    simulated,
    progress,
    counts: Counts,
    ...waitingFields,
    ...batchCostField,
  })
  .meta({
    id: 'BatchCallItem',
    examples: [{ ...exampleRunning, paused: false, simulated: false, counts: exampleCounts, ...exampleWaiting }],
  });

/** What decides about a batch call besides its row. */
export type BatchSurroundings = Pick<AppDeps, 'env' | 'temporal'>;

export function batchCallItemBody(row: BatchDetailRow, deps: BatchSurroundings): z.output<typeof BatchCallItem> {
  const { env } = deps;
  const counts = countsOf(row);
  return {
    ...batchCallBody(row),
    ...holdBody(row, env),
    simulated: row.simulated,
    progress: progressOf(asBatchStatus(row.status), counts),
    counts: { ...counts },
    ...waitingBody(row, env, workersOf(deps)),
    ...batchCostBody(row),
  };
}
