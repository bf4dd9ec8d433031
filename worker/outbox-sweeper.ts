import { setTimeout as delay } from 'node:timers/promises';
import type { OutboxSender } from './outbox-sender.js';

const everyMs = 1_000;

/** Sends what is due every second until the signal aborts, in case a sender's kick was lost. */
export async function sweepOutbox(sender: Pick<OutboxSender, 'kick' | 'settle'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    sender.kick();
    await sender.settle();
    await delay(everyMs, undefined, { signal }).catch(() => undefined); // aborted: the loop's condition sees it
  }
}
