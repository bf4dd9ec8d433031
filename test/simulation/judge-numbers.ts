import type { NumberLimits } from '../../db/queries/telephony/number-limits.js';
import { refText, type CarrierLeg } from './carrier.js';
import { createChanging, type Changing } from './changing.js';
import { dateAt } from './hours.js';
import {
  batchId,
  fromNumber,
  gatewayId,
  numberIdOf,
  numbersOf,
  zoneOfNumbers,
  type OnRetry,
  type PlannedCall,
  type Setting,
} from './setting.js';

export const unlimited: NumberLimits = { maxCallsPerDay: null, minSecondsBetweenCalls: null };

/** A number that calls go out from. */
export interface CallingNumber {
  readonly id: string;
  readonly e164: string;
  readonly gatewayId: string;
}

/** Limits of numbers as they were set and changed, and which numbers batches may be made from. */
export interface Numbers {
  readonly all: readonly CallingNumber[];
  asked(e164: string, limits: NumberLimits): void;
  answered(e164: string, limits: NumberLimits, step: number): void;
  /** It has a limit, or has had one. */
  isLimited(e164: string): boolean;
  /**
   * Judges an INVITE by the number that it was made from.
   *
   * @param legs all INVITEs, this one among them
   * @returns what it breaks, in words
   */
  broken(leg: CarrierLeg, legs: readonly CarrierLeg[], call: PlannedCall, gateStep: number): string[];
}

interface Known {
  readonly limits: Changing<NumberLimits>;
  wasLimited: boolean;
  /** INVITEs before this instant may not have been counted. */
  countedSinceMs: number;
}

/** PostgreSQL counts in microseconds. */
const roundedMs = 1;

const isLimit = ({ maxCallsPerDay, minSecondsBetweenCalls }: NumberLimits): boolean =>
  maxCallsPerDay !== null || minSecondsBetweenCalls !== null;

export function createNumbers(setting: Setting, nowMs: () => number): Numbers {
  const { gateways, batches } = setting;
  const known = new Map<string, Known>();
  const all: CallingNumber[] = [];
  for (const [gateway, { numbers }] of gateways.entries()) {
    const isPool = batches.some((batch) => batch.gateway === gateway && batch.pool !== null);
    for (const [place, limits] of numbers.entries()) {
      const e164 = fromNumber(gateway, place);
      all.push({ e164, id: numberIdOf(gateway, place), gatewayId: gatewayId(gateway) });
      const isCounted = isPool || isLimit(limits);
      known.set(e164, {
        limits: createChanging(limits),
        wasLimited: isLimit(limits),
        countedSinceMs: isCounted ? -Infinity : Infinity,
      });
    }
  }

  /** Numbers that a call may be made from, and how its retries choose. */
  function poolOf({ batch }: PlannedCall): { readonly numbers: readonly string[]; readonly onRetry: OnRetry | null } {
    const found = batches.find((_batch, place) => batchId(place) === batch);
    if (found === undefined) return { numbers: gateways.map((_gateway, place) => fromNumber(place)), onRetry: null };
    const { gateway, pool } = found;
    return { numbers: pool === null ? [fromNumber(gateway)] : numbersOf(setting, gateway), onRetry: pool };
  }

  function brokenLimits(leg: CarrierLeg, legs: readonly CarrierLeg[], gateStep: number): string[] {
    const own = known.get(leg.from);
    if (own === undefined) return [];
    const broken: string[] = [];
    const held = own.limits.at(gateStep);
    const counted = legs.filter(({ from, placedMs }) => from === leg.from && placedMs >= own.countedSinceMs);
    const most = Math.max(...held.map(({ maxCallsPerDay }) => maxCallsPerDay ?? Infinity));
    const today = dateAt(zoneOfNumbers, leg.placedMs);
    const calls = counted.filter(({ placedMs }) => dateAt(zoneOfNumbers, placedMs) === today).length;
    if (calls > most)
      broken.push(`INVITE ${refText(leg.ref)} is call ${calls} of ${leg.from} that day, ${most} are allowed`);
    const seconds = Math.min(...held.map(({ minSecondsBetweenCalls }) => minSecondsBetweenCalls ?? 0));
    const before = counted.filter((other) => other !== leg).map(({ placedMs }) => placedMs);
    const gapMs = leg.placedMs - Math.max(-Infinity, ...before);
    if (gapMs < seconds * 1_000 - roundedMs) {
      broken.push(`INVITE ${refText(leg.ref)} left ${gapMs} ms after one of ${leg.from}, ${seconds} s lie between two`);
    }
    return broken;
  }

  /** Of retries whose numbers have never had a limit, so that none of them was used up. */
  function brokenChoice(leg: CarrierLeg, legs: readonly CarrierLeg[], call: PlannedCall): string[] {
    const { numbers, onRetry } = poolOf(call);
    const { callId, attempt, invite } = leg.ref;
    if (!numbers.includes(leg.from)) return [`INVITE ${refText(leg.ref)} left from ${leg.from}, not of its batch`];
    const before = legs.filter(({ ref }) => ref.callId === callId && ref.attempt < attempt);
    const last = before.at(-1);
    if (onRetry === null || last === undefined) return [];
    const words = `INVITE ${refText(leg.ref)} left from ${leg.from}`;
    if (onRetry === 'same') {
      const held = known.get(last.from)?.wasLimited === true || leg.from === last.from;
      return held ? [] : [`${words}, the try before from ${last.from}`];
    }
    // What the gate let out and was never sent may have been chosen for another number.
    const isWhole = before.length === attempt - 1 && [...before, leg].every(({ ref }) => ref.invite === 1);
    if (!isWhole || invite !== 1) return [];
    const uses = (e164: string): number => before.filter(({ from }) => from === e164).length;
    const less = numbers.find((e164) => known.get(e164)?.wasLimited === false && uses(e164) < uses(leg.from));
    return less === undefined ? [] : [`${words}, which the callee was called from oftener than from ${less}`];
  }

  return {
    all,
    asked(e164, limits) {
      const own = known.get(e164);
      own?.limits.asked(limits);
      if (own !== undefined && isLimit(limits)) own.wasLimited = true;
    },
    answered(e164, limits, step) {
      const own = known.get(e164);
      own?.limits.answered(limits, step);
      if (own !== undefined) own.countedSinceMs = Math.min(own.countedSinceMs, nowMs());
    },
    isLimited: (e164) => known.get(e164)?.wasLimited === true,
    broken: (leg, legs, call, gateStep) => [...brokenLimits(leg, legs, gateStep), ...brokenChoice(leg, legs, call)],
  };
}
