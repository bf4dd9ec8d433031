import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isAboutItsData } from '../db/data-fault.js';
import { ReaderEnded } from '../platform/reader-process.js';

/** Identifies this process: tells a reader that died from one that starts again. */
export const thisReader = `${hostname()}/${process.pid}/${randomUUID()}`;

/** Whether a try has failed because of what was read: it cost its reader, or PostgreSQL refuses what is in it. An outage is not its fault. */
export const isFaultOfWhatWasRead = (error: unknown): boolean => error instanceof ReaderEnded || isAboutItsData(error);
