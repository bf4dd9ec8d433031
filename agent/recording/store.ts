import { setTimeout as pause } from 'node:timers/promises';
import type { RecordingChunk } from '../../db/queries/calls/recordings.js';
import type { Logger } from '../../platform/logger.js';

/** Pages on their way to the database. */
export interface PageStore {
  add(page: RecordingChunk): void;
  /** Resolves when all are stored, or the time is over. */
  close(withinMs: number): Promise<void>;
}

/** Half an hour of sound: a database that is away for longer costs what comes after. */
const mostWaitingBytes = 8_000_000;
const pagesAtOnce = 120;
const againMs = 500;

/**
 * Stores pages in their order, one write at a time, as many as wait in each.
 *
 * @param store resolves to false if the recording has been deleted
 * @param deleted called then, once: nothing more is stored
 */
export function storePages(
  store: (pages: readonly RecordingChunk[]) => Promise<boolean>,
  deleted: () => void,
  logger: Logger,
): PageStore {
  let waiting: RecordingChunk[] = [];
  let writing: Promise<void> | null = null;
  let [isDeleted, isFull] = [false, false];

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const pages = waiting.slice(0, pagesAtOnce);
      try {
        isDeleted = !(await store(pages));
      } catch (error) {
        // The next page takes these along.
        logger.warn({ err: error }, 'a piece of the recording could not be stored; trying again');
        return;
      }
      waiting = isDeleted ? [] : waiting.slice(pages.length);
      if (isDeleted) deleted();
    }
    isFull = false;
  }
  const kick = (): Promise<void> =>
    (writing ??= write().finally(() => {
      writing = null;
    }));

  return {
    add(page) {
      if (isDeleted) return;
      if (waiting.reduce((sum, { bytes }) => sum + bytes.length, page.bytes.length) > mostWaitingBytes) {
        if (!isFull) logger.error('the recording cannot be stored: sound from now on is missing in it');
        isFull = true;
        return;
      }
      waiting.push(page);
      void kick();
    },
    async close(withinMs) {
      const untilMs = Date.now() + withinMs;
      for (;;) {
        const left = untilMs - Date.now();
        await Promise.race([kick(), pause(Math.max(0, left))]);
        if (waiting.length === 0) return;
        if (left <= againMs) break;
        await pause(againMs);
      }
      logger.error({ pages: waiting.length }, 'the end of the recording could not be stored');
    },
  };
}
