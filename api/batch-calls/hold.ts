import { z } from 'zod';
import type { BatchDetailRow } from '../../db/queries/batches/batches.js';
import { nextOpening, recipientZone, zonesOfWindow } from '../../domain/call/calling-window.js';
import { dialingHold, dialingHoldWords } from '../../domain/account/dialing-hold.js';
import type { PauseReason } from '../../domain/batch/pause-reasons.js';
import { notGranted, ungrantedWords } from '../../domain/account/grants.js';
import type { Env } from '../../platform/env.js';
import { CallingWindowAnswer } from '../../domain/call/calling-window-answer.js';
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
        'first of the next callees. Omitted if the window is open, there is none, or no call waits for it',
    ),
};

interface Hold {
  readonly paused: boolean;
  readonly pausedReason?: PauseReason;
  readonly pausedDetails?: string;
}

const held = (pausedReason: PauseReason, details: string | null): Hold => ({
  paused: true,
  pausedReason,
  ...(details === null ? {} : { pausedDetails: details }),
});

/**
 * Why nothing of the batch is dialed. What the dialer reads from the account, the agent and the gateway themselves holds a
 * running batch just as its own pause does, so it is shown in the same place; it ends by itself.
 */
export function holdOf(row: BatchDetailRow, { OUTDIAL_PROVIDER, OUTDIAL_REGIONS }: Env): Hold {
  if (row.paused) return held(row.pausedReason ?? 'paused_by_user', row.pausedDetails);
  if (row.status !== 'running') return { paused: false };
  const hold = dialingHold(row);
  if (hold !== null) return held(hold, dialingHoldWords[hold]);
  const words = ungrantedWords(row.ungranted);
  if (words !== null) return held(notGranted, `${words} Calls go on when it is granted.`);
  if (!row.agentActive) return held('agent_inactive', 'The agent is not active. Calls go on when it is deployed.');
  if (row.gatewaySuspended) return held('gateway_suspended', row.suspendedReason);
  const region = (row.region === 'auto' ? OUTDIAL_REGIONS[0] : row.region) ?? 'default';
  if (OUTDIAL_PROVIDER === 'livekit' && !row.servedRegions.includes(region)) {
    return held('no_agent_worker', `No agent worker of the region ${region} is ready. Calls go on when one is.`);
  }
  return { paused: false };
}

/**
 * When the window of a running batch opens, if it is closed for all who come next. The same rule as the dialer's: open in all
 * zones of a callee.
 */
function opensAt({ status, callingWindow, timezone, zonesInQueue }: BatchDetailRow, now: Date): Date | null {
  if (status !== 'running' || callingWindow === null) return null;
  const window = CallingWindowAnswer.parse(callingWindow);
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
  return { ...holdOf(row, env), ...(opening === null ? {} : { callingWindowOpensAt: opening.toISOString() }) };
}
