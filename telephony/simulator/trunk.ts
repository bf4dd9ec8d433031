import { z } from 'zod';
import type { Behaviour } from './behaviour.js';

/** How a trunk misbehaves, as set by POST /faults. `null` takes a fault away; an omitted one stays. */
export const Faults = z.strictObject({
  /** Which gateway; omitted: every gateway that has no setting for that fault. */
  gatewayId: z.string().min(1).optional(),
  /** Never answers an INVITE. */
  silence: z.boolean().nullable().optional(),
  refuseCredentials: z.boolean().nullable().optional(),
  refuseConnection: z.boolean().nullable().optional(),
  /** Answers, but no agent takes part. */
  agentMissing: z.boolean().nullable().optional(),
  callsPerSecond: z.number().positive().nullable().optional(),
  channels: z.int().min(0).nullable().optional(),
  /** Every INVITE gets this response. */
  answer: z
    .strictObject({ sipStatusCode: z.int().min(300).max(699), sipPhrase: z.string() })
    .nullable()
    .optional(),
});
export type Faults = z.infer<typeof Faults>;

export type Setting = Omit<Faults, 'gatewayId'>;

/** Carrier's jitter allowance: an INVITE that comes up to this late after its slot is still in order. */
export const jitterSeconds = 0.25;

/**
 * Most INVITEs in sliding windows for a sender that keeps to a rate and sends each at most `jitterSeconds` late. The
 * short window, a second or one interval if the rate is below one a second, catches bursts; the ten times longer one
 * a rate that is kept too high, which the allowance would hide in the short one.
 */
export function windowsOf(callsPerSecond: number): readonly { readonly seconds: number; readonly most: number }[] {
  const short = Math.max(1, 1 / callsPerSecond);
  return [short, 10 * short].map((seconds) => ({
    seconds,
    most: Math.floor(callsPerSecond * (seconds + jitterSeconds) + 1e-9) + 1,
  }));
}

export type LimitBroken = 'calls_per_second' | 'channels';

export interface Trunk {
  live: number;
  peakLive: number;
  /** Limit that this INVITE breaks, or null: then it counts towards the rate. `live` is the caller's to raise and lower. */
  limitBrokenBy(nowMs: number, faults: Setting): LimitBroken | null;
}

export function createTrunk(): Trunk {
  /** Instants of the latest accepted INVITEs, oldest first. */
  let accepted: number[] = [];
  const atLeastSince = (count: number, sinceMs: number): boolean => (accepted.at(-count) ?? -Infinity) > sinceMs;
  return {
    live: 0,
    peakLive: 0,
    limitBrokenBy(nowMs, { callsPerSecond, channels }) {
      const windows = typeof callsPerSecond === 'number' ? windowsOf(callsPerSecond) : [];
      if (windows.some(({ seconds, most }) => atLeastSince(most, nowMs - seconds * 1000))) return 'calls_per_second';
      if (typeof channels === 'number' && this.live >= channels) return 'channels';

      const needed = Math.max(0, ...windows.map(({ most }) => most));
      if (needed > 0) accepted.push(nowMs);
      if (accepted.length > 2 * needed) accepted = accepted.slice(accepted.length - needed);
      return null;
    },
  };
}

/** What a fault makes of every INVITE, or null if only the limits and the script decide. */
export function faultBehaviour(faults: Setting): Behaviour | null {
  if (faults.refuseConnection) return { kind: 'gateway_fault', words: 'connection refused' };
  if (faults.silence) return { kind: 'silence' };
  if (faults.refuseCredentials) return { kind: 'gateway_fault', words: 'credentials refused' };
  if (faults.answer) return { kind: 'refuse', ringAfterSeconds: null, refuseAfterSeconds: 0, ...faults.answer };
  return null;
}

export const limitRefusal: Readonly<Record<LimitBroken, { sipStatusCode: number; sipPhrase: string }>> = {
  calls_per_second: { sipStatusCode: 503, sipPhrase: 'Trunk CPS limit exceeded' },
  channels: { sipStatusCode: 503, sipPhrase: 'Trunk channel limit exceeded' },
};
