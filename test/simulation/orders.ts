import { windowsOf, type CallingWindow } from '../../domain/call/calling-window.js';
import { hoursOf, type HoursPlan, type Turn } from './hours.js';
import type { GuardedHours } from './judge-hours.js';

/*
 * What orders ask for, chosen by a number of a move: the same number asks for the same, so that a scenario repeats and stays
 * what it is while it is made smaller.
 */

const zones = ['UTC', 'America/New_York', 'recipient', 'Asia/Kolkata', 'America/Chicago'];
const opensAfterMinutes = [-90, -60, -1, 0, 1, 60];
const closesAfterMinutes = [0, 1, -30, 2, 60, 61];

const from = <T>(all: readonly T[], number: number): T => all[number % all.length] as T;

/**
 * Hours that begin or end within a minute or two of the turn, or an hour from it, as clocks that are moved do; of some the date of the turn
 * or the one before is excepted, and some have a second window beside them.
 */
export const planBy = (how: number): HoursPlan => ({
  ...planOfOne(how),
  ...(how % 13 === 2 || how % 13 === 6 ? { exceptDays: [0] } : how % 13 === 9 ? { exceptDays: [-1, 2] } : {}),
  ...(how % 7 === 3 ? { beside: planOfOne(Math.floor(how / 7)) } : {}),
});

const planOfOne = (how: number): HoursPlan => ({
  zone: from(zones, how),
  opensAfterMinutes: from(opensAfterMinutes, Math.floor(how / zones.length)),
  closesAfterMinutes: from(closesAfterMinutes, Math.floor(how / (zones.length * opensAfterMinutes.length))),
  oneDay: how % 11 === 0,
});

/** Hours that have not begun. */
export const laterBy = (how: number): HoursPlan => ({
  ...planBy(how),
  opensAfterMinutes: from([1, 60], how),
  closesAfterMinutes: 90,
});

/** Calling hours, or attempts per day, or neither. */
export function guardedBy(how: number, turn: Turn): GuardedHours {
  const kind = how % 4;
  return {
    callingHours: kind < 2 ? hoursOf({ ...planBy(how), zone: 'recipient' }, turn) : null,
    attemptsPerDay: kind % 2 === 1 ? 1 + (how % 3) : null,
  };
}

export const windowText = (list: CallingWindow | null): string =>
  list === null
    ? 'at any time'
    : windowsOf(list)
        .map(
          ({ from: opens, until, timezone, daysOfWeek, except = [] }) =>
            `from ${opens} until ${until} in ${timezone} on days ${daysOfWeek.join()} but ${except.join()}`,
        )
        .join(' and ');

export const guardrailsText = ({ callingHours, attemptsPerDay }: GuardedHours): string =>
  `guardrails: ${windowText(callingHours === null ? null : { ...callingHours, timezone: 'recipient' })}, ${
    attemptsPerDay ?? 'any number of'
  } attempts a day`;
