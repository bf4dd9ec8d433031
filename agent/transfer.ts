import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../db/client.js';
import { lockCall, requestTransfer } from '../db/queries/call-control.js';
import { latestTransfer } from '../db/queries/agent-calls.js';

export interface TransferWish {
  readonly accountId: string;
  readonly callId: string;
  /** E.164, `sip:` or `tel:` */
  readonly to: string;
}

const lookEveryMs = 500;
/** Longer than any carrier lets a transfer target ring. */
const longestMs = 90_000;

/**
 * Has the dialer that holds the leg send a REFER, and waits for what the carrier says.
 *
 * @param over aborted when the call is over, which is how a transfer that succeeds ends
 * @returns why it did not happen, in words for a model; null where it did
 */
export async function transferCall(
  db: Db,
  { accountId, callId, to }: TransferWish,
  over: AbortSignal,
): Promise<string | null> {
  const obstacle = await db
    .transaction()
    .execute(async (tx) =>
      (await lockCall(tx, accountId, callId)) === null ? 'over' : requestTransfer(tx, accountId, callId, to),
    );
  if (obstacle !== null) return `The call cannot be transferred now (${obstacle}).`;
  const untilMs = Date.now() + longestMs;
  while (!over.aborted && Date.now() < untilMs) {
    const transfer = await latestTransfer(db, accountId, callId);
    if (transfer?.status === 'transferred') return null;
    if (transfer?.status === 'failed') return 'The transfer failed: nobody took the call there.';
    await pause(lookEveryMs, undefined, { signal: over }).catch(() => undefined);
  }
  return over.aborted ? null : 'Whether the transfer worked is not known.';
}
