import type { AccountEvidence, Ban, BatchEvidence, Evidence, Violation } from './evidence.js';
import { inForce, longestRoadMs, mayHaveLeftBefore } from './evidence.js';
import type { Leg } from './legs.js';
import { isOpen, wordsOf } from './window.js';

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;

/** Whether an INVITE broke an order, given what may have lain on its road. */
function broken(ban: Ban, leg: Leg, held: Evidence['roadHeld']): Violation[] {
  if (leg.atMs <= ban.fromMs || leg.atMs >= ban.untilMs || mayHaveLeftBefore(ban.fromMs, leg.atMs, held)) return [];
  const what = `${leg.callId} (${leg.to}) was dialed ${seconds(leg.atMs - ban.fromMs)} after an answered ${ban.why}`;
  return [{ rule: ban.why, what, atMs: leg.atMs, about: [leg.callId, leg.to] }];
}

/** Nothing after an answered stop-dialing or opt-out. */
export const againstAccount = (leg: Leg, account: AccountEvidence, held: Evidence['roadHeld']): Violation[] => [
  ...account.bans.flatMap((ban) => broken(ban, leg, held)),
  ...[account.optOuts.get(leg.to)].flatMap((ban) => (ban === undefined ? [] : broken(ban, leg, held))),
];

/** Nothing after an answered cancel, pause or skip, before the start, or outside the window. */
export function againstBatch(leg: Leg, batch: BatchEvidence, held: Evidence['roadHeld']): Violation[] {
  const about = [leg.callId, leg.to, batch.batchId];
  const skip = batch.skips.get(leg.to);
  const found = [...batch.bans, ...(skip === undefined ? [] : [skip])].flatMap((ban) => broken(ban, leg, held));
  if (batch.startsAtMs !== undefined && leg.atMs < batch.startsAtMs) {
    const what = `${leg.callId} (${leg.to}) was dialed ${seconds(batch.startsAtMs - leg.atMs)} before its batch's start`;
    found.push({ rule: 'start', what, atMs: leg.atMs, about });
  }
  const earliestMs = leg.atMs - longestRoadMs(leg.atMs, held);
  const windows = inForce(batch.window, earliestMs, leg.atMs);
  const inside = windows.some((window) => isOpen(window, earliestMs, leg.atMs));
  if (!inside) {
    const what = `${leg.callId} (${leg.to}) was dialed outside ${windows.map(wordsOf).join(' and ')}`;
    found.push({ rule: 'window', what, atMs: leg.atMs, about });
  }
  return found;
}

/** Never more live calls of a batch than it allows. */
export function batchTooBusy(batch: BatchEvidence, legs: readonly Leg[], held: Evidence['roadHeld']): Violation[] {
  if (batch.mostAtOnce.every(({ value }) => value === null)) return [];
  return legs.flatMap((leg) => {
    const live = legs.filter(({ atMs, end }) => atMs <= leg.atMs && (end?.atMs ?? Infinity) > leg.atMs).length;
    const limits = inForce(batch.mostAtOnce, leg.atMs - longestRoadMs(leg.atMs, held), leg.atMs);
    const most = Math.max(...limits.map((limit) => limit ?? Infinity));
    if (live <= most) return [];
    const what = `${leg.callId} (${leg.to}) was the ${live}th live call of a batch that allows ${most}`;
    return [{ rule: 'batch-concurrency', what, atMs: leg.atMs, about: [leg.callId, leg.to, batch.batchId] }];
  });
}

/** What was claimed before more lines were reserved is dialed within this time, if nothing holds its dialer up on its way to the gate. */
const claimedMs = 5_000;

/** Batches leave the reserved lines of a gateway free, however few single calls there are. */
export function reservedTaken(
  account: AccountEvidence,
  ofBatches: readonly Leg[],
  { lines, roadHeld, paceHeld }: Pick<Evidence, 'lines' | 'roadHeld' | 'paceHeld'>,
): Violation[] {
  const held = [...roadHeld, ...paceHeld];
  return account.gatewayIds.flatMap((gatewayId) => {
    let live: Leg[] = [];
    return ofBatches
      .filter((leg) => leg.gatewayId === gatewayId)
      .sort((a, b) => a.atMs - b.atMs)
      .flatMap((leg) => {
        live = [...live.filter(({ end }) => (end?.atMs ?? Infinity) > leg.atMs), leg];
        const sinceMs = leg.atMs - longestRoadMs(leg.atMs, held) - claimedMs;
        const most = lines - Math.min(...inForce(account.reserved, sinceMs, leg.atMs));
        if (live.length <= most) return [];
        const what = `${leg.callId} (${leg.to}) was the ${live.length}th live call of batches, which ${gatewayId} gives ${most} lines`;
        return [{ rule: 'reserved', what, atMs: leg.atMs, about: [leg.callId, leg.to, gatewayId] }];
      });
  });
}
