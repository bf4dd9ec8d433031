import { z } from 'zod';

/** `fill`: claim and keep all that can be had. `drain`: claim, end what was claimed, go on until told to stop. */
export const Order = z.enum(['fill', 'drain', 'stop']);
export type Order = z.infer<typeof Order>;

/** What a claimer says: one `claimed` for each claim that brought something while draining, `done` after each order. */
export const Report = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('claimed'), attempts: z.number(), milliseconds: z.number() }),
  z.object({ kind: z.literal('done') }),
]);
export type Report = z.infer<typeof Report>;
