import { conflict, notFound } from '../../domain/errors.js';
import { lockCall, type LockedCall } from '../../db/queries/calls/control.js';
import { findCallIn, type CallWithAttempts } from '../../db/queries/calls/calls.js';
import type { Db } from '../../db/client.js';
import { uuidOf } from '../../domain/ids.js';

/** The bare UUID in a call's id; null if the text is not such an id. */
export const callUuid = (id: string): string | null => uuidOf('call', id);

/** @throws Failure `not_found` if the account has no such call */
export function requireCall<Found>(found: Found | null): Found {
  if (found === null) throw notFound('Call not found');
  return found;
}

/**
 * Locks a call that is not over.
 *
 * @throws Failure `not_found`; `conflict` if it is over
 */
export async function lockOpenCall(tx: Db, accountId: string, callId: string): Promise<LockedCall> {
  const uuid = callUuid(callId);
  const call = requireCall(uuid === null ? null : await lockCall(tx, accountId, uuid));
  if (call.settled) throw conflict('The call is over');
  return call;
}

/** A call that is known to be there, as the transaction sees it. */
export const callNow = async (tx: Db, accountId: string, uuid: string): Promise<CallWithAttempts> =>
  requireCall(await findCallIn(tx, accountId, uuid));
