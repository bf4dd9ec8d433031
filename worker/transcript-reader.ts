import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../db/client.js';
import { readTranscripts } from '../db/queries/calls/transcript-words.js';
import type { Logger } from '../platform/logger.js';

const everyMs = 1_000;

/** Reads transcripts of calls that are over, so that calls are found by their words, every second until the signal aborts. */
export async function readTranscriptsOf(db: Db, logger: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const more = await readTranscripts(db, (callId, error) =>
      logger.error(
        { err: error, callId },
        'a transcript cannot be read for the search of calls; it is not found by its words',
      ),
    ).catch((error: unknown) => {
      logger.warn({ err: error }, 'transcripts could not be read for the search of calls; trying again');
      return false;
    });
    if (!more) await delay(everyMs, undefined, { signal }).catch(() => undefined); // aborted: the loop's condition sees it
  }
}
