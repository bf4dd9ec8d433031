import type { Disposition, LegFact } from './disposition.js';
import { type UnsentReason, unsentForgottenSeconds } from './unsent.js';

/** What one end of an attempt says about the gateway it went by. */
export type GatewaySign =
  /** The carrier did its job, whatever became of the call. */
  | { readonly kind: 'normal' }
  /** Nothing came back at all. */
  | { readonly kind: 'silence' }
  /** Credentials, connection, TLS, DNS, codec, or a phrase that names the trunk. */
  | { readonly kind: 'fault'; readonly words: string }
  /** Too many calls per second for the carrier. */
  | { readonly kind: 'rate' }
  /** Too many calls at once for the carrier. `live` is how many there were. */
  | { readonly kind: 'channels'; readonly live: number }
  /** The provider could not send it. */
  | { readonly kind: 'unsent'; readonly reason: UnsentReason };

/** What an end says about its gateway; null if it says nothing (we hung up, this process did not send it, it is unknown). */
export function signOf(fact: LegFact, disposition: Disposition, live: number): GatewaySign | null {
  if (fact.how === 'no_response') return { kind: 'silence' };
  if (disposition.kind === 'gateway_fault') return { kind: 'fault', words: disposition.words };
  if (disposition.kind === 'requeue' && disposition.why === 'rate') return { kind: 'rate' };
  if (disposition.kind === 'requeue' && disposition.why === 'channels') return { kind: 'channels', live };
  if (fact.how === 'not_sent' && fact.unsent !== undefined) return { kind: 'unsent', reason: fact.unsent };
  if (fact.how === 'not_sent' || fact.how === 'unknown' || fact.how === 'cancelled') return null;
  return { kind: 'normal' };
}

/** State of admission of a gateway, as `gateway_admission` keeps it. */
export interface GatewayHealth {
  /** Last 20 ends, newest first: `1` the gateway's own fault, `0` not. */
  readonly recentFaults: string;
  readonly consecutiveSilences: number;
  /** Share of the gateway's calls per second in force since `paceChangedAt`; more than 0, at most 1. */
  readonly pace: number;
  readonly paceChangedAt: Date;
  readonly concurrencyCap: number | null;
  readonly concurrencyChangedAt: Date;
  readonly suspendedSince: Date | null;
  readonly probeAt: Date | null;
  readonly probeDelaySeconds: number | null;
  readonly suspendedReason: string | null;
  /** Since when the provider has sent none of its calls, when it last failed to, and why; null: it does. */
  readonly unsentSince: Date | null;
  readonly unsentAt: Date | null;
  readonly unsentReason: UnsentReason | null;
}

/** Silent INVITEs in a row from which on the silence is the trunk's fault, not the callees'. */
export const silencesThatMeanTheGateway = 10;
const remembered = 20;
const faultsInARow = 5;
const faultShare = 0.8;
const firstProbeDelaySeconds = 30;
const longestProbeDelaySeconds = 600;
const slowestPace = 0.1;

/** The pace in force at `now`: a tenth more for every ten seconds since it was set. Also in db/functions. */
export const paceAt = (health: GatewayHealth, now: Date): number =>
  Math.min(1, health.pace + 0.1 * Math.floor((now.getTime() - health.paceChangedAt.getTime()) / 10_000));

const isSuspicious = (recent: string): boolean =>
  recent.startsWith('1'.repeat(faultsInARow)) ||
  (recent.length === remembered && recent.replaceAll('0', '').length >= remembered * faultShare);

function afterFault(health: GatewayHealth, now: Date, words: string): GatewayHealth {
  const recentFaults = `1${health.recentFaults}`.slice(0, remembered);
  if (health.suspendedSince !== null) {
    const probeDelaySeconds = Math.min(
      longestProbeDelaySeconds,
      (health.probeDelaySeconds ?? firstProbeDelaySeconds) * 2,
    );
    return {
      ...health,
      recentFaults,
      probeDelaySeconds,
      probeAt: new Date(now.getTime() + probeDelaySeconds * 1000),
      suspendedReason: words,
    };
  }
  if (!isSuspicious(recentFaults)) return { ...health, recentFaults };
  return {
    ...health,
    recentFaults,
    suspendedSince: now,
    probeDelaySeconds: firstProbeDelaySeconds,
    probeAt: new Date(now.getTime() + firstProbeDelaySeconds * 1000),
    suspendedReason: words,
  };
}

/** The carrier answered: the gateway works. A suspended one reopens at about one call per second and ramps up. */
function afterLife(health: GatewayHealth, now: Date, callsPerSecond: number): GatewayHealth {
  const seen = { ...health, recentFaults: `0${health.recentFaults}`.slice(0, remembered), consecutiveSilences: 0 };
  if (health.suspendedSince === null) return seen;
  return {
    ...seen,
    recentFaults: '',
    suspendedSince: null,
    probeAt: null,
    probeDelaySeconds: null,
    suspendedReason: null,
    pace: Math.min(1, 1 / callsPerSecond),
    paceChangedAt: now,
  };
}

/**
 * What a gateway's state becomes when an attempt on it has ended.
 *
 * Five faults in a row, or 80 % of the last 20 ends, suspend it: nothing is dialed but one probe after 30 s, doubling to
 * 10 min. A carrier that is short of calls per second halves the pace at most once a second, to no less than a tenth; one
 * short of channels caps concurrency just below what was live.
 *
 * @param callsPerSecond the gateway's own, at full pace
 */
export function afterSign(health: GatewayHealth, sign: GatewaySign, now: Date, callsPerSecond: number): GatewayHealth {
  switch (sign.kind) {
    case 'normal':
      return afterLife(health, now, callsPerSecond);
    case 'silence': {
      const consecutiveSilences = health.consecutiveSilences + 1;
      const counted = { ...health, consecutiveSilences };
      return consecutiveSilences >= silencesThatMeanTheGateway
        ? afterFault(counted, now, 'The carrier does not respond at all')
        : counted;
    }
    case 'fault':
      return afterFault(health, now, sign.words);
    case 'rate': {
      const alive = afterLife(health, now, callsPerSecond);
      if (now.getTime() - alive.paceChangedAt.getTime() < 1000 && alive.pace < 1) return alive;
      return { ...alive, pace: Math.max(slowestPace, paceAt(alive, now) / 2), paceChangedAt: now };
    }
    case 'channels': {
      const alive = afterLife(health, now, callsPerSecond);
      return { ...alive, concurrencyCap: Math.max(1, sign.live - 1), concurrencyChangedAt: now };
    }
    case 'unsent':
      return { ...health, unsentSince: unsentSinceOf(health, now) ?? now, unsentAt: now, unsentReason: sign.reason };
  }
}

/** Since when no call is sent, if that was tried lately. */
const unsentSinceOf = ({ unsentSince, unsentAt }: GatewayHealth, now: Date): Date | null =>
  unsentAt === null || now.getTime() - unsentAt.getTime() > unsentForgottenSeconds * 1_000 ? null : unsentSince;

/** An INVITE has left since the last one that did not. */
const sent = { unsentSince: null, unsentAt: null, unsentReason: null } as const;

/**
 * The same for one leg: what a leg that was dialed before its gateway was suspended says of it is about the time before, and
 * neither reopens it nor puts off the next probe. In the same way it does not say that calls are sent again.
 */
export function afterSignOf(
  health: GatewayHealth,
  sign: GatewaySign,
  dialedAt: Date,
  now: Date,
  callsPerSecond: number,
): GatewayHealth {
  const isSent = sign.kind !== 'unsent' && health.unsentSince !== null && dialedAt >= health.unsentSince;
  const known = isSent ? { ...health, ...sent } : health;
  const isOfBefore = health.suspendedSince !== null && dialedAt < health.suspendedSince;
  return isOfBefore ? known : afterSign(known, sign, now, callsPerSecond);
}

/** Whether a normal end would change nothing, so that the gateway's row need not be locked for it. */
export const isUntroubled = (health: GatewayHealth): boolean =>
  health.suspendedSince === null &&
  health.unsentSince === null &&
  health.consecutiveSilences === 0 &&
  !health.recentFaults.includes('1');
