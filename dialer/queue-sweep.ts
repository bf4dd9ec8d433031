import type { Db } from '../db/client.js';
import {
  attemptsOfGivenUpGateways,
  closedWindows,
  expiredAttempts,
  moveToOpenings,
  type ClosedWindow,
} from '../db/queries/dialer/queue-sweep.js';
import type { AttemptKey } from '../domain/call/attempt-key.js';
import { settleUndialed } from '../db/queries/dialer/settle-undialed.js';
import type { UnreportedAttempt } from '../db/queries/dialer/report-attempts.js';
import { nextOpening, zonesOfWindow } from '../domain/call/calling-window.js';
import type { EndReason } from '../domain/call/end-reasons.js';

const mostAtOnce = 2_000;
/** A gateway that has been suspended for so long is given up. */
const givenUpAfterHours = 24;

export interface SweptQueue {
  readonly reports: readonly UnreportedAttempt[];
  readonly gatewayIds: readonly string[];
}

/**
 * Deals with queued attempts whose time has run out: windows close, single calls expire, gateways are given up. At most 2,000
 * of each at once: claims go on in between, however much is due.
 */
export async function sweepQueue(db: Db, now: Date): Promise<SweptQueue> {
  const { moved, never } = await moveClosedWindows(db, now);
  const settle = async (keys: readonly AttemptKey[], reason: EndReason) =>
    keys.length === 0
      ? []
      : settleUndialed(
          db,
          keys.map((key) => ({ ...key, claimId: null })),
          reason,
        );
  const reports = [
    ...(await settle(never, 'calling_window')),
    ...(await settle(await expiredAttempts(db, mostAtOnce), 'expired')),
    ...(await settle(await attemptsOfGivenUpGateways(db, givenUpAfterHours, mostAtOnce), 'gateway_unavailable')),
  ];
  return { reports, gatewayIds: moved };
}

/** @returns the gateways of the attempts, and the attempts that no opening could be found for */
async function moveClosedWindows(db: Db, now: Date): Promise<{ moved: string[]; never: ClosedWindow[] }> {
  const closed = await closedWindows(db, mostAtOnce);
  if (closed.length === 0) return { moved: [], never: [] };
  const openings = closed.map((attempt) => {
    const { callingWindow, timeZones, batchTimezone } = attempt;
    if (callingWindow === null) return { attempt, opening: { opensAt: now, closesAt: null } };
    const zones = zonesOfWindow(callingWindow, timeZones, batchTimezone);
    return { attempt, opening: nextOpening(callingWindow, zones, now) };
  });
  await moveToOpenings(
    db,
    openings.flatMap(({ attempt, opening }) => (opening === null ? [] : [{ ...attempt, ...opening }])),
  );
  return {
    moved: [...new Set(closed.map((attempt) => attempt.gatewayId))],
    never: openings.filter(({ opening }) => opening === null).map(({ attempt }) => attempt),
  };
}
