import { part } from './part.js';

/**
 * host:port of the suites' shared Temporal server (a real one, without skipped time). Use a task queue and workflow ids
 * of your own: other test files run on it at the same time.
 */
export const temporalAddress = (): Promise<string> => part('temporal');
