import { z } from 'zod';
import { notFound } from '../../domain/errors.js';

/** How a path names a number. */
export const NumberParams = z.object({
  phoneNumberId: z
    .string()
    .describe('Id of the number, `num_…`, or the number itself, E.164 with its + (plain or as %2B)'),
});

/** The account has no such number. */
export const noSuchNumber = () => notFound('Phone number not found');
