import { Temporal } from 'temporal-polyfill';
import { type CallingHours, openingForCallee } from '../account/guardrails.js';
import type { CallingWindow } from './calling-window.js';
import { clockWords } from './clock-words.js';

/** By what a time that a callee names is read and judged. */
export interface CallbackRules {
  readonly now: Date;
  /** The callee's own zone, by which they name times. */
  readonly zone: string;
  /** Zones of the recipient, as they were given or worked out; empty: none are known. */
  readonly zones: readonly string[];
  /** Zone of the batch: that of recipients of whom none is known. */
  readonly timezone: string;
  readonly window: CallingWindow | null;
  /** Hours in which the account's guardrails and the operator allow calls, each in all zones that the number may be in. */
  readonly callingHours: readonly CallingHours[];
  /** Zones that the number may be in. */
  readonly ofNumber: readonly string[];
  /** How far ahead a call is promised, in days. */
  readonly withinDays: number;
}

/** The instant, and how it is said to the callee; or, for the model, why no call can be promised for then. */
export type CallbackTime = { readonly at: Date; readonly words: string } | { readonly problem: string };

const localTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/;

/**
 * Reads a time by the callee's clock, such as `2026-11-24T17:00`. One that the change of clocks leaves out is an hour later, of one
 * that comes twice it is the first that is ahead.
 */
export function callbackTime(text: string, rules: CallbackRules): CallbackTime {
  const { now, zone, zones, timezone, window, callingHours, ofNumber, withinDays } = rules;
  const ms = localTime.test(text.trim()) ? instantOf(text.trim(), zone, now) : null;
  if (ms === null)
    return { problem: 'Give the time by the callee’s clock as YYYY-MM-DDTHH:MM, such as 2027-03-01T17:00.' };
  const at = new Date(ms);
  if (at <= now) return { problem: `That time is over: it is ${callbackClock(now, zone)} now. Ask for another time.` };
  if (ms > now.getTime() + withinDays * 86_400_000) {
    return { problem: `Calls are promised for the next ${withinDays} days only. Ask for a sooner time.` };
  }
  if (window === null && callingHours.length === 0) return { at, words: clockWords(at, zone, now) };
  const hours = { timeZones: zones, callingWindow: window, batchTimezone: timezone };
  const opening = openingForCallee(callingHours, ofNumber, hours, at);
  if (opening === null) return { problem: 'No calls are made at such times. Say that you cannot promise one.' };
  if (opening.opensAt > at) {
    const next = clockWords(opening.opensAt, zone, now);
    return {
      problem: `No calls are made at that time. The next hours begin at ${next}: ask whether a time after that suits.`,
    };
  }
  return { at, words: clockWords(at, zone, now) };
}

function instantOf(text: string, zone: string, now: Date): number | null {
  try {
    const local = Temporal.PlainDateTime.from(text);
    const first = local.toZonedDateTime(zone).epochMilliseconds;
    if (first > now.getTime()) return first;
    return local.toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Day, date and time by a zone's clock, for the model: `Monday 2026-11-23 14:05`. */
export function callbackClock(instant: Date, zone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone);
  const day = local.toLocaleString('en-US', { weekday: 'long' });
  return `${day} ${local.toPlainDate().toString()} ${local.toPlainTime().toString({ smallestUnit: 'minute' })}`;
}
