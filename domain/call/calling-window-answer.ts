import { z } from 'zod';

/** A calling window as answers have it, with every field set. */
export const CallingWindowAnswer = z
  .object({
    from: z.string().describe('HH:MM from which calls may start'),
    until: z.string().describe('HH:MM until which they may; before from: on the next day'),
    daysOfWeek: z.array(z.int()).describe('1 is Monday'),
    timezone: z.string().describe('IANA name, or recipient: that of each callee'),
  })
  .meta({ id: 'CallingWindow' });
