import { dialingHold, type DialingState, dialingHoldWords } from '../account/dialing-hold.js';
import { notGranted, type Ungranted, ungrantedWords } from '../account/grants.js';
import type { PauseReason } from './pause-reasons.js';

/** How this service calls, as far as it decides what holds a batch. */
export interface Calling {
  /** Agents are simulated with the carrier, and always there. */
  readonly simulated: boolean;
  /** The region that `auto` means. */
  readonly defaultRegion: string;
}

/** What is stored of a batch, and of what it calls with, that may hold it as a whole. */
export interface HoldFacts extends DialingState {
  readonly status: string;
  readonly paused: boolean;
  readonly pausedReason: PauseReason | null;
  readonly pausedDetails: string | null;
  readonly agentActive: boolean;
  readonly gatewaySuspended: boolean;
  /** The carrier's message. */
  readonly suspendedReason: string | null;
  /** As the gateway names it: a name, or `auto`. */
  readonly region: string | null;
  /** Regions that have an agent worker. */
  readonly servedRegions: readonly string[];
  /** Grants that the batch needs and does not have. */
  readonly ungranted: Ungranted;
}

/** The region whose agents take the calls of a gateway. */
export const regionOf = (region: string | null, { defaultRegion }: Calling): string =>
  region === null || region === 'auto' ? defaultRegion : region;

export interface Hold {
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
export function holdOf(row: HoldFacts, calling: Calling): Hold {
  if (row.paused) return held(row.pausedReason ?? 'paused_by_user', row.pausedDetails);
  if (row.status !== 'running') return { paused: false };
  const hold = dialingHold(row);
  if (hold !== null) return held(hold, dialingHoldWords[hold]);
  const words = ungrantedWords(row.ungranted);
  if (words !== null) return held(notGranted, `${words} Calls go on when it is granted.`);
  if (!row.agentActive) return held('agent_inactive', 'The agent is not active. Calls go on when it is deployed.');
  if (row.gatewaySuspended) return held('gateway_suspended', row.suspendedReason);
  const region = regionOf(row.region, calling);
  if (!calling.simulated && !row.servedRegions.includes(region)) {
    return held('no_agent_worker', `No agent worker of the region ${region} is ready. Calls go on when one is.`);
  }
  return { paused: false };
}
