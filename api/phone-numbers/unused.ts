import type { Db } from '../../db/client.js';
import { batchFromNumbers, type PhoneNumberRow } from '../../db/queries/telephony/phone-numbers.js';
import { conflict } from '../../domain/errors.js';

/**
 * The number is locked: a batch that is being created has been seen, or will see what happens to the number.
 *
 * @throws Failure `conflict` while an unfinished batch calls from it
 */
export async function refuseWhileCalling(tx: Db, accountId: string, number: PhoneNumberRow): Promise<void> {
  const batch = await batchFromNumbers(tx, accountId, [number.id]);
  if (batch === null) return;
  throw conflict(`${batch.id} calls from ${number.e164} and is not finished. Cancel it, or wait for its end.`);
}
