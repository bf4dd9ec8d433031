import { z } from 'zod';
import type { BatchDetailRow } from '../../db/queries/batches/batches.js';
import { nextOpening, recipientZone, zonesOfWindow } from '../../domain/call/calling-window.js';
import { type Calling, holdOf } from '../../domain/batch/hold.js';
import type { Env } from '../../platform/env.js';
import { storedWindow } from '../../domain/call/calling-window-answer.js';
import { instant } from '../fields.js';
import { pauseReason } from '../reasons.js';

/** Fields that say why nothing of a batch call is dialed. */
export const holdFields = {
  paused: z.boolean().describe('Nothing is dialed while this is true; the status stays as it is'),
  pausedReason: pauseReason().optional().describe('Why nothing is dialed'),
  pausedDetails: z.string().optional().describe('The reason as a sentence'),
  callingWindowOpensAt: instant()
    .optional()
    .describe(
      'While it is running and its calling window is closed: when the window opens, with timezone recipient for the ' +
        'first of the next callees. Otherwise omitted',
    ),
};

/** How this service calls, by its settings. */
export const callingOf = ({ OUTDIAL_PROVIDER, OUTDIAL_REGIONS }: Env): Calling => ({
  simulated: OUTDIAL_PROVIDER !== 'livekit',
  defaultRegion: OUTDIAL_REGIONS[0] ?? 'default',
});

/**
 * When the window of a running batch opens, if it is closed for all who come next. The same rule as the dialer's: open in all
 * zones of a callee.
 */
function opensAt({ status, callingWindow, timezone, zonesInQueue }: BatchDetailRow, now: Date): Date | null {
  if (status !== 'running' || callingWindow === null) return null;
  const window = storedWindow(callingWindow);
  const callees = window.timezone === recipientZone ? (zonesInQueue ?? []) : [null];
  const openings = callees.map((zones) =>
    nextOpening(window, zonesOfWindow(window, zones === null || zones === '' ? null : zones.split(','), timezone), now),
  );
  const instants = openings.flatMap((opening) => opening?.opensAt.getTime() ?? []);
  const first = Math.min(...instants);
  return instants.length > 0 && first > now.getTime() ? new Date(first) : null;
}

/** Everything that holds a batch at this moment, for people and programs. */
export function holdBody(row: BatchDetailRow, env: Env, now = new Date()) {
  const opening = opensAt(row, now);
  return {
    ...holdOf(row, callingOf(env)),
    ...(opening === null ? {} : { callingWindowOpensAt: opening.toISOString() }),
  };
}
