import type { Schemas } from '../api/schemas.js';
import type { Problem } from '../api/refused.js';

/** Hours of some days, as fields have them. */
export interface OneWindow {
  readonly from: string;
  readonly until: string;
  readonly daysOfWeek: readonly string[];
  /** `recipient` or an IANA name. */
  readonly timezone: string;
}

/** The calling window, as fields have it. */
export interface WindowValues {
  /** Whether there is one at all. */
  readonly hasWindow: boolean;
  /** At least one, also while there is none. */
  readonly windows: readonly OneWindow[];
  /** It is sent as a list even if it is one window: as it came. */
  readonly isList: boolean;
  /** Dates on which none opens, as they were typed. */
  readonly except: string;
}

/** Most that the API takes. */
export const mostWindows = 14;

const everyDay = ['1', '2', '3', '4', '5', '6', '7'];

const proposed: OneWindow = { from: '09:00', until: '20:00', daysOfWeek: everyDay, timezone: 'recipient' };

export const noWindow: WindowValues = { hasWindow: false, windows: [proposed], isList: false, except: '' };

/** What fields show of the calling window that there is. */
export function windowValuesOf(
  sent: Schemas['CallingWindows'] | Schemas['NewCallingWindow'] | readonly Schemas['NewCallingWindow'][] | undefined,
): WindowValues {
  if (sent === undefined) return noWindow;
  const windows = [sent].flat();
  return {
    hasWindow: true,
    windows: windows.map(({ from, until, daysOfWeek, timezone }) => ({
      ...{ from, until },
      timezone: timezone ?? proposed.timezone,
      daysOfWeek: daysOfWeek?.map(String) ?? everyDay,
    })),
    isList: Array.isArray(sent),
    // A date in one window counts for all.
    except: [...new Set(windows.flatMap(({ except }) => except ?? []))].sort().join(', '),
  };
}

/** Dates that were typed, whatever is between them. */
const datesOf = (text: string): readonly string[] => text.split(/[\s,;]+/).filter((date) => date !== '');

/** What is sent of the fields; null: no window. */
export function callingWindowOf({ hasWindow, windows, isList, except }: WindowValues) {
  if (!hasWindow) return null;
  const dates = datesOf(except);
  const sent = windows.map(({ daysOfWeek, ...hours }, place) => ({
    ...hours,
    daysOfWeek: daysOfWeek.map(Number),
    ...(place === 0 && dates.length > 0 ? { except: [...dates] } : {}),
  }));
  const [first] = sent;
  return isList || first === undefined || sent.length > 1 ? sent : first;
}

/** One more window, on the same days: what is left of the day, or the morning. */
export function withAnother(windows: readonly OneWindow[]): readonly OneWindow[] {
  const last = windows.at(-1) ?? proposed;
  const isEarly = last.until < '19:00' && last.from < last.until;
  const hours = isEarly ? { from: last.until, until: '20:00' } : { from: '09:00', until: '12:00' };
  return [...windows, { ...last, ...hours }];
}

const shown = /^callingWindow(?:\[\d+\])?\.(?:from|until|timezone|daysOfWeek(?:\[\d+\])?|except(?:\[\d+\])?)$/;

/** Whether a problem at this path of a request stands at a field of the calling window. */
export const isAtWindowField = (path: string): boolean => path === 'callingWindow' || shown.test(path);

const joined = (words: readonly string[]): string | undefined => (words.length === 0 ? undefined : words.join('; '));

const base = (place: number): string => `callingWindow[${place}]`;

/** What is wrong with a field of the window at this place, or with what is in the field. */
export function problemOfWindow(problems: readonly Problem[], place: number, field: keyof OneWindow) {
  const paths = [`${base(place)}.${field}`, ...(place === 0 ? [`callingWindow.${field}`] : [])];
  const isAt = (at: string) => paths.some((path) => at === path || at.startsWith(`${path}[`));
  return joined([...new Set(problems.filter(({ path }) => isAt(path)).map(({ message }) => message))]);
}

/** What is wrong with the calling window as a whole. */
export const problemOfWindows = (problems: readonly Problem[]) =>
  joined(problems.filter(({ path }) => path === 'callingWindow').map(({ message }) => message));

/** What is wrong with the dates, each by what was typed. */
export function problemOfDates(problems: readonly Problem[], except: string): string | undefined {
  const dates = datesOf(except);
  return joined(
    problems.flatMap(({ path, message }) => {
      const [found, index] = /^callingWindow(?:\[\d+\])?\.except(?:\[(\d+)\])?$/.exec(path) ?? [];
      if (found === undefined) return [];
      const date = index === undefined ? undefined : dates[Number(index)];
      return [date === undefined ? message : `${date} ${message}`];
    }),
  );
}
