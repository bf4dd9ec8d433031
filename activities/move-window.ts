import { timeZonesFinder } from '../contacts/parse-contacts.js';
import type { Db } from '../db/client.js';
import { callsWithoutZones, endMove, movingWindow, moveQueuePiece, storeZones } from '../db/queries/batch-window.js';
import { recipientZone } from '../domain/calling-window.js';

/**
 * Moves what a batch has in the queue to the calling window that it has now, and lets it dial again. In pieces, each a
 * transaction of its own: one that is interrupted goes on with whatever is left, and doing it again changes nothing.
 *
 * @param signal ends it between two pieces
 */
export async function moveWindow(db: Db, accountId: string, batchId: string, signal: AbortSignal): Promise<void> {
  const stopped = (): boolean => signal.aborted;
  while (!stopped()) {
    const moving = await movingWindow(db, accountId, batchId);
    if (moving === null) return;
    if (moving.window?.timezone === recipientZone) await findZones(db, accountId, batchId, signal);
    const now = new Date();
    for (let after: number | null = -1; after !== null && !stopped();) {
      after = await moveQueuePiece(db, accountId, batchId, moving, after, now);
    }
    if (!stopped() && (await endMove(db, accountId, batchId, moving))) return;
  }
}

/** A window by the callees' own clocks may come after the file was read without looking for their zones. */
async function findZones(db: Db, accountId: string, batchId: string, signal: AbortSignal): Promise<void> {
  const zonesOf = timeZonesFinder();
  for (let after = -1; !signal.aborted;) {
    const calls = await callsWithoutZones(db, accountId, batchId, after);
    const last = calls.at(-1);
    if (last === undefined) return;
    await storeZones(
      db,
      accountId,
      calls.map(({ callId, named, phoneNumber }) => ({ callId, zones: zonesOf(named ?? '', phoneNumber) })),
    );
    after = last.position;
  }
}
