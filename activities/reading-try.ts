import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ReaderEnded } from '../platform/reader-process.js';

/** Identifies this process: tells a reader that died from one that starts again. */
export const thisReader = `${hostname()}/${process.pid}/${randomUUID()}`;

/**
 * Whether a try has failed because of what was read: it cost its reader, or PostgreSQL refused a statement for what is in it (bad data,
 * a broken constraint, a missing column), and will do so again. An outage is not its fault.
 */
export const isFaultOfWhatWasRead = (error: unknown): boolean =>
  error instanceof ReaderEnded ||
  (error instanceof Error && 'code' in error && /^(?:22|23|42)\w{3}$/.test(String(error.code)));
