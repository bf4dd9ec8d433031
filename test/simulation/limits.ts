import { refText, type CarrierLeg } from './carrier.js';
import { batchId, gatewayId, type Setting } from './setting.js';

/**
 * What limits calls: calls of a gateway or batch at once, those of all batches of a gateway, a gateway's calls per second,
 * agents of all gateways.
 */
export type Limited = `live ${string}` | `batches ${string}` | `rate ${string}` | 'agents';

/** Limits as they were set and changed. */
export interface Limits {
  /** It is asked for this limit: from now on it may hold, or the one before. */
  asked(what: Limited, most: number): void;
  /** The limit that was asked for last holds, as of this step and instant. */
  answered(what: Limited, step: number, atMs: number): void;
  /** The highest limit that may have held at some time since this step. */
  sinceStep(what: Limited, step: number): number;
  sinceMs(what: Limited, atMs: number): number;
}

interface Held {
  readonly most: number;
  untilStep: number;
  untilMs: number;
}

export function createLimits({ gateways, batches, agents }: Setting): Limits {
  const known = new Map<Limited, Held[]>();
  const listOf = (what: Limited): Held[] => {
    const list = known.get(what) ?? [];
    known.set(what, list);
    return list;
  };
  const highest = (held: readonly Held[]): number => Math.max(...held.map(({ most }) => most));
  const limits: Limits = {
    asked: (what, most) => void listOf(what).push({ most, untilStep: Infinity, untilMs: Infinity }),
    answered(what, step, atMs) {
      for (const held of listOf(what).slice(0, -1)) {
        held.untilStep = Math.min(held.untilStep, step);
        held.untilMs = Math.min(held.untilMs, atMs);
      }
    },
    sinceStep: (what, step) => highest(listOf(what).filter(({ untilStep }) => untilStep >= step)),
    sinceMs: (what, atMs) => highest(listOf(what).filter(({ untilMs }) => untilMs >= atMs)),
  };
  for (const [place, { callsPerSecond, maxConcurrentCalls, reservedCalls }] of gateways.entries()) {
    limits.asked(`rate ${gatewayId(place)}`, callsPerSecond);
    limits.asked(`live ${gatewayId(place)}`, maxConcurrentCalls);
    limits.asked(`batches ${gatewayId(place)}`, maxConcurrentCalls - reservedCalls);
  }
  for (const [place, { maxConcurrentCalls }] of batches.entries()) {
    limits.asked(`live ${batchId(place)}`, maxConcurrentCalls ?? Infinity);
  }
  limits.asked('agents', agents ?? Infinity);
  return limits;
}

/** A slot may have been given so long before its INVITE leaves. */
const slotAheadMs = 6_000;
/** PostgreSQL counts in microseconds. */
const roundedMs = 1;

/**
 * Judges an INVITE by the limits.
 *
 * @param legs all INVITEs, this one among them
 * @param claimedStep when the attempt was claimed: that is when calls at once are counted
 * @returns what it breaks, in words
 */
export function brokenLimits(
  leg: CarrierLeg,
  legs: readonly CarrierLeg[],
  limits: Limits,
  claimedStep: number,
  batchOf: (leg: CarrierLeg) => string | null,
): string[] {
  const broken: string[] = [];
  const live = legs.filter((other) => other.endedMs === null);
  const count = (what: Limited, name: string, calls: number): void => {
    const most = limits.sinceStep(what, claimedStep);
    if (calls > most) broken.push(`${name} ${calls} live calls, ${most} are allowed`);
  };
  const { gatewayId: gateway } = leg.ref;
  if (live.some((other) => other !== leg && other.to === leg.to)) {
    broken.push(`INVITE ${refText(leg.ref)}: ${leg.to} is in a call already`);
  }
  const ofGateway = live.filter((other) => other.ref.gatewayId === gateway);
  count(`live ${gateway}`, `${gateway} has`, ofGateway.length);
  const batch = batchOf(leg);
  if (batch !== null) {
    count(`live ${batch}`, `${batch} has`, live.filter((other) => batchOf(other) === batch).length);
    const ofBatches = ofGateway.filter((other) => batchOf(other) !== null);
    count(`batches ${gateway}`, `batches of ${gateway} have`, ofBatches.length);
  }
  count('agents', 'agents have', live.length);

  const rate = limits.sinceMs(`rate ${gateway}`, leg.placedMs - slotAheadMs);
  const seconds = Math.max(1, 1 / rate);
  const since = leg.placedMs - seconds * 1000 + roundedMs;
  const sent = legs.filter((other) => other.ref.gatewayId === gateway && other.placedMs > since).length;
  if (sent > Math.ceil(rate * seconds)) {
    broken.push(`${gateway} sent ${sent} calls within ${seconds} s, ${rate} per second are allowed`);
  }
  return broken;
}
