import { z } from 'zod';

/** What watching reads of a batch call. */
export const WatchedBatch = z.looseObject({
  batchId: z.string(),
  batchName: z.string(),
  status: z.string(),
  recordsUploaded: z.number(),
  recordsRejected: z.number(),
  parseError: z.string().nullable(),
  paused: z.boolean(),
  pausedDetails: z.string().optional(),
  simulated: z.boolean(),
  counts: z.record(z.string(), z.number()),
  waiting: z.looseObject({ total: z.number() }),
  waitingFor: z.string(),
});
export type WatchedBatch = z.infer<typeof WatchedBatch>;

export const finalStatuses: readonly string[] = ['completed', 'cancelled', 'parse_failed'];
