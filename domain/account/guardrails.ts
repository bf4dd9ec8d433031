import {
  type CallingWindow,
  nextOpening,
  type Opening,
  recipientZone,
  searchedUntilMs,
  type WeeklyWindow,
  zonesOfWindow,
} from '../call/calling-window.js';
import { dialedCountry, isPremiumRate, isSatellite } from '../phone/number-kind.js';
import { clocksOf, localDay, startOfDay } from '../call/time-zone.js';
import type { EndReason } from '../call/end-reasons.js';

/** Hours by each callee's own clock; as of a batch's calling window. */
export type CallingHours = Omit<WeeklyWindow, 'timezone'>;

/** What no call of an account exceeds, single or of a batch (docs/conformance.md, Guardrails). */
export interface Guardrails {
  /** null: at any hour. */
  readonly callingHours: CallingHours | null;
  /** Over all batches and single calls; null: any number. */
  readonly maxAttemptsPerNumberPerDay: number | null;
  /** As `dialedCountry` names them; null: the countries of the account's own numbers. */
  readonly allowedCountries: readonly string[] | null;
  readonly refusePremiumRate: boolean;
  readonly refuseSatellite: boolean;
  /** Spoken before the greeting; null: nothing. */
  readonly disclosure: string | null;
}

/** In force if an account has set none. */
export const defaultGuardrails: Guardrails = {
  callingHours: null,
  maxAttemptsPerNumberPerDay: null,
  allowedCountries: null,
  refusePremiumRate: true,
  refuseSatellite: true,
  disclosure: null,
};

/** Why a number may not be called at all: `reason` of its call. */
export type GuardrailRefusal = Extract<EndReason, 'premium_rate_number' | 'satellite_number' | 'country_not_allowed'>;

/**
 * Why a number may not be called at all, or null.
 *
 * @param homeCountries countries of the account's numbers, allowed if the guardrails name none
 * @param from number that would call: its country counts among those of the account
 */
export function refusalOf(
  guardrails: Pick<Guardrails, 'allowedCountries' | 'refusePremiumRate' | 'refuseSatellite'>,
  homeCountries: readonly string[],
  from: string,
  to: string,
): GuardrailRefusal | null {
  if (guardrails.refuseSatellite && isSatellite(to)) return 'satellite_number';
  if (guardrails.refusePremiumRate && isPremiumRate(to)) return 'premium_rate_number';
  const country = dialedCountry(to);
  const allowed = guardrails.allowedCountries ?? [...homeCountries, dialedCountry(from)];
  return allowed.includes(country) ? null : 'country_not_allowed';
}

/** The message of a refusal to the client that asked for the call. */
export const refusalWords: Readonly<Record<GuardrailRefusal, (to: string) => string>> = {
  country_not_allowed: (to) => `The account’s guardrails do not allow calls to ${dialedCountry(to)}`,
  premium_rate_number: (to) => `The account’s guardrails refuse premium-rate numbers, and ${to} is one`,
  satellite_number: (to) => `The account’s guardrails refuse satellite numbers, and ${to} is one`,
};

/** The zones if nothing is known of a callee's, as of toll-free numbers. */
const unknownZone = 'UTC';

/**
 * The zones in which the calling hours must be open: all that the number may be in, and the one that its row names. A
 * row cannot widen the hours by naming a zone.
 */
export const zonesOfCallee = (ofNumber: readonly string[], ofRow: readonly string[] | null): readonly string[] => {
  const zones = [...new Set([...ofNumber, ...(ofRow ?? [])])];
  return zones.length === 0 ? [unknownZone] : zones;
};

/** A window with the zones in which it must be open. */
export interface ZonedWindow {
  readonly window: CallingWindow;
  readonly zones: readonly string[];
}

export const hoursWindow = (hours: CallingHours, zones: readonly string[]): ZonedWindow => ({
  window: { ...hours, timezone: recipientZone },
  zones,
});

/**
 * The next stretch of time in which all of the windows are open, each in all of its zones.
 *
 * @param windows at least one
 * @returns null if none is found within the days that a calling window is searched for
 */
export function commonOpening(windows: readonly ZonedWindow[], from: Date): Opening | null {
  const untilMs = Math.max(...windows.map(({ window }) => searchedUntilMs(window, from.getTime())));
  for (let at = from; at.getTime() < untilMs;) {
    const openings: Opening[] = [];
    for (const { window, zones } of windows) {
      const opening = nextOpening(window, zones, at);
      if (opening === null) return null;
      openings.push(opening);
    }
    const latest = new Date(Math.max(...openings.map(({ opensAt }) => opensAt.getTime())));
    if (latest.getTime() <= at.getTime()) {
      return { opensAt: at, closesAt: new Date(Math.min(...openings.map(({ closesAt }) => closesAt.getTime()))) };
    }
    at = latest;
  }
  return null;
}

/** What besides the account's calling hours says when a callee may be called. */
export interface CalleeHours {
  /** What the row of the file says of the callee's zones; null if nothing was asked. */
  readonly timeZones: readonly string[] | null;
  /** The batch's own window; null for a single call, too. */
  readonly callingWindow: CallingWindow | null;
  readonly batchTimezone: string | null;
}

/**
 * The next hours in which a callee may be called by calling hours, all of which must be open, and by the batch's window.
 *
 * @param callingHours at least one, or the batch has a window
 * @param ofNumber zones that the number may be in
 * @returns null if there are none
 */
export function openingForCallee(
  callingHours: readonly CallingHours[],
  ofNumber: readonly string[],
  { timeZones, callingWindow, batchTimezone }: CalleeHours,
  now: Date,
): Opening | null {
  const windows = callingHours.map((hours) => hoursWindow(hours, zonesOfCallee(ofNumber, timeZones)));
  if (callingWindow !== null) {
    const zones = zonesOfWindow(callingWindow, timeZones, batchTimezone ?? unknownZone);
    windows.push({ window: callingWindow, zones });
  }
  return commonOpening(windows, now);
}

/** The callee's day, for attempts per day. */
export interface CalleeDay {
  /** Since when attempts count. */
  readonly since: Date;
  /** When a new day begins and the number is looked at again. */
  readonly until: Date;
}

/**
 * The day that it is for a callee who may be in any of these zones: it began when it did in the first of them, and ends when the next
 * one begins in one. So no calendar day of any of them sees more attempts than are allowed, also if clocks change at midnight.
 *
 * @param zones at least one
 */
export function dayOfCallee(zones: readonly string[], now: Date): CalleeDay {
  const atMs = now.getTime();
  const clocks = zones.flatMap((zone) => clocksOf(zone));
  const starts = (daysLater: number): number[] =>
    clocks.map((zone) => startOfDay(zone, localDay(zone, atMs) + daysLater));
  return { since: new Date(Math.min(...starts(0))), until: new Date(Math.min(...starts(1))) };
}
