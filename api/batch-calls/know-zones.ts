import { timeZonesFinder } from '../../contacts/time-zones-finder.js';
import type { Db } from '../../db/client.js';
import { callWithoutZones } from '../../db/queries/batches/call-without-zones.js';
import { storeZones } from '../../db/queries/batches/window.js';

/**
 * Looks up the time zones of a call that is about to be opened again, if its batch goes by them and they are not known: without
 * them the clock of the batch would count, and the callee be called at any hour. To be done before the call is opened.
 */
export async function knowZones(
  tx: Db,
  call: { readonly accountId: string; readonly batchId: string; readonly callId: string },
): Promise<void> {
  const without = await callWithoutZones(tx, call);
  if (without === null) return;
  const { callId, named, phoneNumber } = without;
  await storeZones(tx, call.accountId, [{ callId, zones: timeZonesFinder()(named ?? '', phoneNumber) }]);
}
