import type { CallingWindow } from '../../domain/call/calling-window.js';
import { refText, type CarrierLeg } from './carrier.js';
import { createChanging, type Changing } from './changing.js';
import { dateAt, hoursOf, isListOpenAt, isOpenAt, windowOf, type Hours } from './hours.js';
import { batchId, zoneOf, type PlannedCall, type Setting } from './setting.js';

/** What the account's guardrails say of hours and days; the simulation changes nothing else of them. */
export interface GuardedHours {
  /** By the callee's own clock; null: at any hour. */
  readonly callingHours: Hours | null;
  /** Attempts per number and day of the callee's; null: any number. */
  readonly attemptsPerDay: number | null;
}

export const unguarded: GuardedHours = { callingHours: null, attemptsPerDay: null };

/** Calling windows and guardrails as they were set and changed. */
export interface AllowedHours {
  readonly windows: ReadonlyMap<string, Changing<CallingWindow | null>>;
  readonly guardrails: Changing<GuardedHours>;
}

export function createAllowedHours({ batches, begins, hours }: Setting): AllowedHours {
  return {
    windows: new Map(
      batches.map(({ window }, place) => [batchId(place), createChanging(windowOf(window, begins.turn))]),
    ),
    guardrails: createChanging({
      ...unguarded,
      callingHours: hours === null ? null : hoursOf(hours, begins.turn),
    }),
  };
}

/**
 * Judges the instant at which an INVITE leaves: by clocks of the zones, and by what was sent on the same day.
 *
 * @param legs all INVITEs, this one among them
 * @param gateStep the step at which it passed the gate: that decides which of several windows holds
 * @returns what it breaks, in words
 */
export function brokenHours(
  leg: CarrierLeg,
  legs: readonly CarrierLeg[],
  { batch, to }: PlannedCall,
  { windows, guardrails }: AllowedHours,
  gateStep: number,
): string[] {
  const broken: string[] = [];
  const zone = zoneOf(to);
  const leaves = `INVITE ${refText(leg.ref)} left at ${new Date(leg.placedMs).toISOString()},`;
  const isOpen = (window: CallingWindow | null): boolean => window === null || isListOpenAt(window, zone, leg.placedMs);
  const held = batch === null ? [] : (windows.get(batch)?.at(gateStep) ?? []);
  if (held.length > 0 && !held.some(isOpen)) broken.push(`${leaves} outside of its calling window`);

  const guarded = guardrails.at(gateStep);
  const allowed = ({ callingHours }: GuardedHours) =>
    callingHours === null || isOpenAt(callingHours, zone, leg.placedMs);
  if (!guarded.some(allowed)) broken.push(`${leaves} outside of the account's calling hours`);

  const most = Math.max(...guarded.map(({ attemptsPerDay }) => attemptsPerDay ?? Infinity));
  const today = dateAt(zone, leg.placedMs);
  const taken = legs.filter(
    (other) => other.to === to && dateAt(zone, other.placedMs) === today && (other === leg || !other.free),
  );
  const attempts = new Set(taken.map(({ ref }) => `${ref.callId}/${ref.attempt}`)).size;
  if (attempts > most) broken.push(`${leaves} as attempt ${attempts} to ${to} in a day, ${most} are allowed`);
  return broken;
}
