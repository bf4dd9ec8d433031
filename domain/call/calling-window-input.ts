import { z } from 'zod';
import { recipientZone, type CallingWindow, type DatedWindow } from './calling-window.js';
import type { Problem } from '../errors.js';
import { besides, expected, fieldProblems } from '../input/field-problems.js';
import { ownNameOfZone, zoneProblem } from './time-zone.js';

const clockTime = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const everyDay: readonly number[] = [1, 2, 3, 4, 5, 6, 7];
const dayWords = 'must be a whole number from 1 (Monday) to 7 (Sunday)';

const From = z
  .string(expected('must be a time such as 09:00'))
  .regex(clockTime, 'must be HH:MM in 24-hour time, such as 09:00')
  .describe('First minute in which calls may start, HH:MM.');

const Until = z
  .string(expected('must be a time such as 20:00'))
  .refine((text) => clockTime.test(text) || text === '24:00', {
    error: 'must be HH:MM in 24-hour time, such as 20:00, or 24:00 for the end of the day',
  })
  .refine((text) => text !== '00:00', { error: 'must be 24:00 for the end of the day' })
  .describe('First minute in which calls may no longer start, HH:MM, up to 24:00. Before `from`: on the next day.');

const DaysOfWeek = z
  .array(
    z.number(dayWords).refine((day) => everyDay.includes(day), { error: dayWords }),
    'must be an array of numbers from 1 (Monday) to 7 (Sunday)',
  )
  .min(1, 'must name at least one day')
  .refine((days) => new Set(days).size === days.length, { error: 'must not name a day twice' })
  .transform((days) => [...days].sort((a, b) => a - b))
  .describe('Days on which the window opens, 1 (Monday) to 7 (Sunday). Default: every day.');

const Timezone = z
  .string('must be an IANA time zone name, or recipient')
  .superRefine((name, context) => {
    const problem = name === recipientZone ? null : zoneProblem(name);
    if (problem !== null) context.addIssue(`${problem}; or recipient, for the clock of each callee`);
  })
  .transform(ownNameOfZone)
  .describe("IANA time zone, or `recipient` (the default): each callee's own clock.");

const mostDates = 366;
const mostWindows = 14;
const dateWords = 'must be a date such as 2027-12-25';

const isDate = (text: string): boolean => {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
};

const Except = z
  .array(z.string(dateWords).refine(isDate, { error: dateWords }), 'must be an array of dates such as 2027-12-25')
  .max(mostDates, `must have at most ${mostDates} dates`)
  .superRefine((dates, context) => {
    dates.forEach((date, place) => {
      if (dates.indexOf(date) < place) context.addIssue({ code: 'custom', path: [place], message: 'is named twice' });
    });
  })
  .transform((dates) => [...dates].sort())
  .describe('Dates, YYYY-MM-DD, on which no window of the list opens.');

const differingWords = (from: string): string => `must differ from ${from}; the whole day is 00:00 to 24:00`;

function differing(hours: { readonly from: string; readonly until: string }, context: z.RefinementCtx): void {
  if (hours.from !== hours.until) return;
  const params = besides('from', differingWords);
  context.addIssue({ code: 'custom', path: ['until'], message: differingWords('from'), params });
}

const everyDayByDefault = DaysOfWeek.nullish()
  .transform((days) => days ?? [...everyDay])
  .meta({ id: 'OpenDays', description: 'Days on which it opens, 1 (Monday) to 7 (Sunday). Default: every day.' });

/** Hours by each callee's own clock, as a client sends them. */
export const CallingHoursInput = z
  .strictObject(
    { from: From, until: Until, daysOfWeek: everyDayByDefault },
    'must be an object such as {"from":"09:00","until":"20:00"}',
  )
  .superRefine(differing)
  .meta({ id: 'NewCallingHours' });

const OneWindowInput = z
  .strictObject(
    {
      from: From,
      until: Until,
      daysOfWeek: everyDayByDefault,
      timezone: Timezone.nullish()
        .transform((zone) => zone ?? recipientZone)
        .describe("IANA time zone, or `recipient` (the default): each callee's own clock."),
      except: Except.nullish(),
    },
    'must be an object such as {"from":"09:00","until":"20:00"}',
  )
  .superRefine(differing)
  .meta({ id: 'NewCallingWindow', description: 'Hours in which the batch may start calls.' });

/** Without an empty list of dates. */
const dated = ({ except, ...hours }: z.output<typeof OneWindowInput>): DatedWindow =>
  except && except.length > 0 ? { ...hours, except } : hours;

function asStored(sent: z.output<typeof OneWindowInput>): CallingWindow {
  const window = dated(sent);
  return window.except === undefined ? window : { timezone: window.timezone, window };
}

function listAsStored(sent: readonly z.output<typeof OneWindowInput>[]): CallingWindow {
  const windows = sent.map(dated);
  const zones = windows.map(({ timezone }) => timezone);
  return { timezone: zones.find((zone) => zone === recipientZone) ?? zones[0] ?? recipientZone, windows };
}

/** One window or a list of them, as a client sends it. */
export const CallingWindowInput = z
  .union([
    OneWindowInput,
    z
      .array(OneWindowInput, 'must be an object such as {"from":"09:00","until":"20:00"}, or an array of such')
      .min(1, 'must have at least one window')
      .max(mostWindows, `must have at most ${mostWindows} windows`)
      .superRefine((windows, context) => {
        const dates = windows.reduce((count, { except }) => count + (except?.length ?? 0), 0);
        if (dates <= mostDates) return;
        context.addIssue(
          `must have at most ${mostDates} dates in the except of all windows together; a date in one counts for all`,
        );
      }),
  ])
  .transform((sent) => (Array.isArray(sent) ? listAsStored(sent) : asStored(sent)));

/** The window, or everything that is wrong with it. Paths begin with `callingWindow`. */
export function readCallingWindow(
  input: unknown,
): { readonly callingWindow: CallingWindow } | { readonly problems: readonly Problem[] } {
  const parsed = CallingWindowInput.safeParse(input);
  return parsed.success ? { callingWindow: parsed.data } : { problems: fieldProblems('callingWindow', parsed.error) };
}
