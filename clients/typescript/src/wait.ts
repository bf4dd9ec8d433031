import { setTimeout } from 'node:timers/promises';
import { OutdialError } from './error.js';
import type { BatchCallDetail } from './generated/types.gen.js';
import { awayStatuses } from './repeat.js';

export interface WaitOptions {
  /** Called with the batch each time that something about it has changed, and with its end. */
  readonly onProgress?: (batch: BatchCallDetail) => void;
  /** Gives up waiting; the batch goes on. */
  readonly signal?: AbortSignal;
  /** Between two looks; default 2. A webhook `batchcall-completed` tells of the end without looking. */
  readonly intervalSeconds?: number;
  /** How long the service may be away, such as for an upgrade, once it has answered; default 300. */
  readonly longestAwaySeconds?: number;
}

const ends: ReadonlySet<string> = new Set(['completed', 'cancelled', 'parse_failed']);

const isAway = (error: unknown): boolean =>
  error instanceof OutdialError && (error.status === 0 || awayStatuses.includes(error.status));

/** Looks at a batch until it has ended: `completed`, `cancelled` or `parse_failed`. @returns the batch */
export async function waitForEnd(
  look: (signal: AbortSignal | undefined) => Promise<BatchCallDetail>,
  { onProgress, signal, intervalSeconds = 2, longestAwaySeconds = 300 }: WaitOptions,
): Promise<BatchCallDetail> {
  let seen = '';
  let answeredAt = -Infinity;
  const lookPatiently = async (): Promise<BatchCallDetail | undefined> => {
    try {
      return await look(signal);
    } catch (error) {
      if (isAway(error) && performance.now() - answeredAt < longestAwaySeconds * 1000) return undefined;
      throw error;
    }
  };
  for (;;) {
    const batch = await lookPatiently();
    if (batch !== undefined) {
      answeredAt = performance.now();
      const now = JSON.stringify(batch);
      if (now !== seen) onProgress?.(batch);
      seen = now;
      if (ends.has(batch.status)) return batch;
    }
    await setTimeout(intervalSeconds * 1000, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}
