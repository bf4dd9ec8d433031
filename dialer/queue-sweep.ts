import type { Db } from '../db/client.js';
import {
  attemptsOfGivenUpGateways,
  closedWindows,
  expiredAttempts,
  moveToOpenings,
  type ClosedWindow,
} from '../db/queries/dialer/queue-sweep.js';
import type { AttemptKey } from '../domain/call/attempt-key.js';
import { settleUndialed, type UndialedAttempt, type UndialedEnd } from '../db/queries/dialer/settle-undialed.js';
import { nextOpening, zonesOfWindow } from '../domain/call/calling-window.js';
import { inHalves } from '../db/in-halves.js';
import { judgedAgainAt } from './eligibility.js';
import type { EndReason } from '../domain/call/end-reasons.js';

const mostAtOnce = 2_000;
/** A gateway that has been suspended for so long is given up. */
const givenUpAfterHours = 24;

export interface SweptQueue {
  readonly reports: readonly (UndialedEnd & { readonly reason: EndReason })[];
  readonly gatewayIds: readonly string[];
  /** Attempts whose next opening could not be worked out; they are looked at again later. */
  readonly unjudged: readonly { readonly attempt: ClosedWindow; readonly error: unknown }[];
  /** Attempts that PostgreSQL refuses to move to the next opening of their window. */
  readonly unmoved: readonly { readonly attempt: AttemptKey; readonly error: unknown }[];
  /** Attempts that PostgreSQL refuses to end. */
  readonly unsettled: readonly { readonly attempt: AttemptKey; readonly error: unknown }[];
}

/** An attempt that ends in the queue. */
type Undue = AttemptKey & Pick<UndialedAttempt, 'hoursAsRead'>;

/**
 * Deals with queued attempts whose time has run out: windows close, single calls expire, gateways are given up. At most 2,000
 * of each at once: claims go on in between, however much is due. One that cannot be moved or ended keeps none of the others waiting.
 */
export async function sweepQueue(db: Db, now: Date): Promise<SweptQueue> {
  const { moved, never, unjudged, unmoved } = await moveClosedWindows(db, now);
  const unsettled: { attempt: AttemptKey; error: unknown }[] = [];
  const settle = async (keys: readonly Undue[], reason: EndReason): Promise<SweptQueue['reports']> => {
    const ends: UndialedEnd[] = [];
    const end = async (some: readonly Undue[]) => {
      const queued = some.map((key) => ({ ...key, claimId: null }));
      ends.push(...(await settleUndialed(db, queued, reason)));
    };
    await inHalves(keys, end, (attempt, error) => void unsettled.push({ attempt, error }));
    return ends.map((each) => ({ ...each, reason }));
  };
  const reports = [
    ...(await settle(
      never.map(({ callId, attempt, asRead }) => ({ callId, attempt, hoursAsRead: asRead })),
      'calling_window',
    )),
    ...(await settle(await expiredAttempts(db, mostAtOnce), 'expired')),
    ...(await settle(await attemptsOfGivenUpGateways(db, givenUpAfterHours, mostAtOnce), 'gateway_unavailable')),
  ];
  return { reports, gatewayIds: moved, unjudged, unmoved, unsettled };
}

function openingOf({ callingWindow, timeZones, batchTimezone }: ClosedWindow, now: Date) {
  if (callingWindow === null) return { opensAt: now, closesAt: null };
  return nextOpening(callingWindow, zonesOfWindow(callingWindow, timeZones, batchTimezone), now);
}

/** @returns the gateways of the attempts, the attempts that no opening could be found for, and those that failed in one way or the other */
async function moveClosedWindows(
  db: Db,
  now: Date,
): Promise<Pick<SweptQueue, 'unjudged' | 'unmoved'> & { readonly moved: string[]; readonly never: ClosedWindow[] }> {
  const closed = await closedWindows(db, mostAtOnce);
  if (closed.length === 0) return { moved: [], never: [], unjudged: [], unmoved: [] };
  const unjudged: { attempt: ClosedWindow; error: unknown }[] = [];
  const unmoved: { attempt: AttemptKey; error: unknown }[] = [];
  const openings = closed.map((attempt) => {
    try {
      return { attempt, opening: openingOf(attempt, now) };
    } catch (error) {
      // One zone that this machine does not know must not keep all others waiting. Until then nothing is open.
      unjudged.push({ attempt, error });
      const later = judgedAgainAt(now);
      return { attempt, opening: { opensAt: later, closesAt: later } };
    }
  });
  await inHalves(
    openings.flatMap(({ attempt, opening }) => (opening === null ? [] : [{ ...attempt, ...opening }])),
    (some) => moveToOpenings(db, some),
    (attempt, error) => void unmoved.push({ attempt, error }),
  );
  return {
    moved: [...new Set(closed.map((attempt) => attempt.gatewayId))],
    never: openings.filter(({ opening }) => opening === null).map(({ attempt }) => attempt),
    unjudged,
    unmoved,
  };
}
