import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../db/client.js';
import { latestTransfer } from '../../db/queries/calls/conversation.js';
import { lockCall } from '../../db/queries/calls/control.js';
import { orderTransfer, requireTransferable, type TransferWish } from '../../db/queries/calls/order-transfer.js';
import { Failure } from '../../domain/errors.js';

const lookEveryMs = 500;
/** Longer than any carrier lets a transfer target ring. */
const longestMs = 90_000;

/** The answer to the model if a transfer fails. */
export const refused = (why: string): string =>
  `The call is not transferred: ${why}. Say in one sentence that you cannot put them through, without numbers, and offer what else you can do.`;

/** @returns a message for the model if the transfer is refused; else null */
export async function unlessRefused(work: Promise<void>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof Failure) return refused(error.message);
    throw error;
  }
}

/**
 * Transfers a call by the same path, and under the same guardrails, as the API does: makes the holder of the leg send a
 * REFER, and waits for what the carrier says.
 *
 * @param announce tells the callee of it; called only if nothing forbids the target
 * @param over aborted when the call is over, which is how a transfer that succeeds ends
 * @returns a message for the model if it did not happen; else null
 */
export async function transferCall(
  db: Db,
  wish: TransferWish,
  announce: () => Promise<void>,
  over: AbortSignal,
): Promise<string | null> {
  const forbidden = await unlessRefused(requireTransferable(db, wish));
  if (forbidden !== null) return forbidden;
  await announce();
  const obstacle = await unlessRefused(
    db.transaction().execute(async (tx) => {
      await lockCall(tx, wish.accountId, wish.callId);
      await orderTransfer(tx, wish);
    }),
  );
  if (obstacle !== null) return over.aborted ? null : obstacle;
  const untilMs = Date.now() + longestMs;
  while (!over.aborted && Date.now() < untilMs) {
    const transfer = await latestTransfer(db, wish.accountId, wish.callId);
    if (transfer?.status === 'transferred') return null;
    if (transfer?.status === 'failed') return refused('it was not answered there');
    await pause(lookEveryMs, undefined, { signal: over }).catch(() => undefined);
  }
  return over.aborted ? null : 'Whether the transfer worked is not known.';
}

/** Orders a warm transfer, which the agent itself carries out. @throws Failure if it is refused */
export function orderWarmTransfer(db: Db, wish: TransferWish): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await lockCall(tx, wish.accountId, wish.callId);
    await orderTransfer(tx, { ...wish, mode: 'warm' });
  });
}
