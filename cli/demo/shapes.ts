import { z } from 'zod';

/** The fields of the API's answers that the demo reads; the others pass through to `--json`. */

export const Batch = z.looseObject({
  batchId: z.string(),
  batchName: z.string(),
  status: z.string(),
  recordsUploaded: z.number(),
  parseError: z.string().nullish(),
  paused: z.boolean().optional(),
  pausedReason: z.string().nullish(),
  simulated: z.boolean().optional(),
  waiting: z.looseObject({ total: z.number() }).optional(),
  waitingFor: z.string().optional(),
});
export type Batch = z.infer<typeof Batch>;

export const Stats = z.looseObject({ status: z.string(), total: z.number(), attempts: z.number() });
export type Stats = z.infer<typeof Stats>;

export const CallRecord = z.looseObject({ phoneNumber: z.string(), status: z.string(), attempts: z.number() });
export type CallRecord = z.infer<typeof CallRecord>;

export const RejectedRow = z.looseObject({
  row: z.number(),
  value: z.string().nullish(),
  reason: z.string(),
  message: z.string(),
});
export type RejectedRow = z.infer<typeof RejectedRow>;

export const CarrierStats = z.looseObject({
  simulated: z.literal(true),
  invites: z.number(),
  violations: z.record(z.string(), z.number()),
});
export type CarrierStats = z.infer<typeof CarrierStats>;

export const finalStatuses: readonly string[] = ['completed', 'cancelled', 'parse_failed'];
