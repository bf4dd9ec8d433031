import { z } from 'zod';

/** Field of an inbound call. */
export const callbackOf = () =>
  z
    .string()
    .optional()
    .describe('The call that the caller calls back about, `call_…`; see `matchRecent` of routing rules');

/** Field of an outbound call. */
export const calledBackBy = () =>
  z.string().optional().describe('The inbound call by which the callee called back, `call_…`; of several the latest');
