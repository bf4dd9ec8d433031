import { z } from 'zod';

/** Field of an inbound call. */
export const callbackOf = () => z.string().optional().describe('The call that is called back about');

/** Field of an outbound call. */
export const calledBackBy = () => z.string().optional().describe('The callee’s latest call back');
