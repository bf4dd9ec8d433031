import type { Db } from '../../db/client.js';
import { addToDoNotCallList } from '../../db/queries/accounts/do-not-call.js';
import { stopWaitingCalls } from '../../db/queries/calls/stop-waiting.js';
import { formatId } from '../../domain/ids.js';
import { e164Problem } from '../../domain/phone/phone-number.js';
import type { Logger } from '../../platform/logger.js';

/** A callee who must not be called again, and the call in which they said so. */
export interface OptOut {
  readonly accountId: string;
  readonly callId: string;
  /** E.164 */
  readonly number: string;
}

/**
 * Puts a callee on the account's do-not-call list, as they have asked. No gate lets a call to them through after it; calls
 * that are queued or wait for a retry end at once, or when their turn comes if this fails.
 */
export async function optOut(db: Db, { accountId, callId, number }: OptOut, logger: Logger): Promise<void> {
  // A caller who hides their number cannot be called back, and so not listed.
  if (e164Problem(number) !== null) return;
  const reason = `asked for it in ${formatId('call', callId)}`;
  await db.transaction().execute((tx) => addToDoNotCallList(tx, accountId, [number], reason));
  try {
    await stopWaitingCalls(db, accountId, [number]);
  } catch (error) {
    logger.warn(
      { err: error },
      'calls to a number on the do-not-call list are still queued; they end when their turn comes',
    );
  }
}
