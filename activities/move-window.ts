import { timeZonesFinder } from '../contacts/time-zones-finder.js';
import type { Db } from '../db/client.js';
import { callsWithoutZones, endMove, movingWindow, moveQueuePiece, storeZones } from '../db/queries/batches/window.js';
import { wakeGateways } from '../db/queries/dialer/wake-gateways.js';
import { recipientZone } from '../domain/call/calling-window.js';
import { holdForHours } from './hold-for-hours.js';

/**
 * Moves a batch's queued attempts to its calling window and the account's guardrails in force now, and lets it dial again.
 * Each piece is one transaction: an interrupted move goes on with what is left, and a repeated one changes nothing.
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
      const piece = await moveQueuePiece(db, accountId, batchId, moving, after, now);
      const { attempts } = piece;
      await holdForHours(db, { accountId, batchId, attempts }, { later: [], settled: [], astray: [] }, now);
      await wakeGateways(db, [moving.gatewayId]);
      after = piece.after;
    }
    if (!stopped() && (await endMove(db, accountId, batchId, moving))) return;
  }
}

/** A batch may get a window by the callees' own clocks after its file was read without looking up their zones. */
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
