import { setTimeout } from 'node:timers/promises';
import type { BatchCallDetail } from './generated/types.gen.js';

export interface WaitOptions {
  /** Called with the batch each time that something about it has changed, and with its end. */
  readonly onProgress?: (batch: BatchCallDetail) => void;
  /** Gives up waiting; the batch goes on. */
  readonly signal?: AbortSignal;
  /** Between two looks; default 2. A webhook `batchcall-completed` tells of the end without looking. */
  readonly intervalSeconds?: number;
}

const ends: ReadonlySet<string> = new Set(['completed', 'cancelled', 'parse_failed']);

/** Looks at a batch until it has ended: `completed`, `cancelled` or `parse_failed`. @returns the batch */
export async function waitForEnd(
  look: (signal: AbortSignal | undefined) => Promise<BatchCallDetail>,
  { onProgress, signal, intervalSeconds = 2 }: WaitOptions,
): Promise<BatchCallDetail> {
  let seen = '';
  for (;;) {
    const batch = await look(signal);
    const now = JSON.stringify(batch);
    if (now !== seen) onProgress?.(batch);
    seen = now;
    if (ends.has(batch.status)) return batch;
    await setTimeout(intervalSeconds * 1000, undefined, { signal });
  }
}
