import { isOver } from '../api/batch-queries.js';
import type { Schemas } from '../api/client.js';
import { momentField } from '../ui/moment.js';
import { noPreDial, type PreDialValues } from '../ui/pre-dial-fields.js';
import { type Stops, stopAfterOf, untilOf } from '../ui/stop-fields.js';

type Batch = Schemas['BatchCallDetail'];
type Change = Schemas['UpdateBatchCall'];

/** Units that a delay is written in, with how many seconds each has. */
export const units = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const;
export type Unit = keyof typeof units;

export interface Delay {
  readonly amount: string;
  readonly unit: Unit;
}

/** The settings of a batch call as fields have them: everything is a text until it is sent. */
export interface Settings extends PreDialValues, Stops {
  readonly name: string;
  readonly description: string;
  readonly startsNow: boolean;
  readonly date: string;
  readonly time: string;
  readonly timezone: string;
  readonly hasWindow: boolean;
  readonly from: string;
  readonly until: string;
  readonly daysOfWeek: readonly string[];
  readonly windowTimezone: string;
  /** Windows after the first. */
  readonly moreWindows: readonly Schemas['CallingWindow'][];
  readonly isList: boolean;
  /** Dates of the first window on which nobody is called. */
  readonly except: string;
  readonly maxConcurrentCalls: string;
  readonly retryOn: readonly string[];
  readonly delays: readonly Delay[];
  readonly open: boolean;
}

/** A delay in the largest unit that gives a whole number. */
function delayOf(seconds: number): Delay {
  const [unit] = (['days', 'hours', 'minutes'] as const).filter((each) => seconds % units[each] === 0);
  return { amount: String(seconds / units[unit ?? 'seconds']), unit: unit ?? 'seconds' };
}

function stopsOf({ stopAfter, until, priority }: Batch): Stops {
  const [stopWhat, count] =
    stopAfter === undefined
      ? (['nothing', ''] as const)
      : 'answered' in stopAfter
        ? (['answered', stopAfter.answered] as const)
        : (['success', stopAfter.success] as const);
  const stopsAt = until === undefined ? '' : momentField(new Date(until));
  return { stopWhat, stopCount: String(count), stopsAt, priority: String(priority) };
}

function windowOf(callingWindow: Batch['callingWindow']) {
  const windows = callingWindow === undefined ? [] : [callingWindow].flat();
  const [first] = windows;
  return {
    hasWindow: first !== undefined,
    from: first?.from ?? '09:00',
    until: first?.until ?? '20:00',
    daysOfWeek: (first?.daysOfWeek ?? [1, 2, 3, 4, 5, 6, 7]).map(String),
    windowTimezone: first?.timezone ?? 'recipient',
    moreWindows: windows.slice(1),
    isList: Array.isArray(callingWindow),
    except: (first?.except ?? []).join(', '),
  };
}

/** The window of the fields becomes one of the others, and the fields are for the next one. The dates stay: they count for all. */
export const movedDown = (settings: Settings): Partial<Settings> => ({
  moreWindows: [
    ...settings.moreWindows,
    {
      from: settings.from,
      until: settings.until,
      daysOfWeek: settings.daysOfWeek.map(Number),
      timezone: settings.windowTimezone,
    },
  ],
});

/** Dates that were typed, in what order and with what between them they may be. */
const datesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((date) => date !== '');

/** What the fields show of a batch call as it is. */
export const settingsOf = (batch: Batch): Settings => ({
  name: batch.batchName,
  description: batch.description ?? '',
  startsNow: batch.timing === 'immediate',
  date: batch.scheduledDate ?? '',
  time: batch.scheduledTime ?? '',
  timezone: batch.timezone,
  ...windowOf(batch.callingWindow),
  maxConcurrentCalls: batch.maxConcurrentCalls === undefined ? '' : String(batch.maxConcurrentCalls),
  ...stopsOf(batch),
  retryOn: batch.retry.retryOn,
  delays: batch.retry.retryDelays.map(delayOf),
  open: batch.open,
  ...(batch.preDial === undefined
    ? noPreDial
    : { preDial: batch.preDial.url, onError: batch.preDial.onError, timeoutMs: String(batch.preDial.timeoutMs) }),
});

/** A number that was typed. What is none goes to the API as it is, which says what is wrong with it. */
function numberOf(text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isNaN(number) ? (text as unknown as number) : number;
}

function callingWindowOf(settings: Settings): NonNullable<Change['callingWindow']> {
  const { from, until, daysOfWeek, windowTimezone: timezone, moreWindows, isList } = settings;
  const except = datesOf(settings.except);
  const dates = except.length === 0 ? {} : { except };
  const first = { from, until, daysOfWeek: daysOfWeek.map(Number), timezone, ...dates };
  return isList || moreWindows.length > 0 ? [first, ...moreWindows] : first;
}

const parts = {
  name: ({ name }: Settings) => ({ name }),
  description: ({ description }: Settings) => ({ description: description === '' ? null : description }),
  schedule: ({ startsNow, date, time, timezone }: Settings) => ({
    schedule: startsNow ? null : { date, time, timezone },
  }),
  callingWindow: (settings: Settings) => ({ callingWindow: settings.hasWindow ? callingWindowOf(settings) : null }),
  maxConcurrentCalls: ({ maxConcurrentCalls }: Settings) => ({
    maxConcurrentCalls: maxConcurrentCalls.trim() === '' ? null : numberOf(maxConcurrentCalls),
  }),
  stopAfter: (settings: Settings) => ({ stopAfter: stopAfterOf(settings) }),
  until: (settings: Settings) => ({ until: untilOf(settings) }),
  priority: ({ priority }: Settings) => ({ priority: Number(priority) }),
  retry: ({ retryOn, delays }: Settings) => ({
    retry:
      delays.length === 0
        ? null
        : { retryOn: [...retryOn], retryDelays: delays.map(({ amount, unit }) => numberOf(amount) * units[unit]) },
  }),
  open: ({ open }: Settings) => ({ open }),
  preDial: ({ preDial: url, onError, timeoutMs }: Settings) => ({
    preDial: url === '' ? null : { url, onError, timeoutMs: numberOf(timeoutMs) },
  }),
} as const satisfies Record<string, (settings: Settings) => Change>;

export type Part = keyof typeof parts;

/** What of a batch call can be changed as it is now. */
export function changeable({ status }: Pick<Batch, 'status'>): readonly Part[] {
  if (isOver(status)) return ['name', 'description'];
  const limits = ['callingWindow', 'maxConcurrentCalls', 'stopAfter', 'until', 'priority'] as const;
  const running = ['name', 'description', ...limits, 'retry', 'preDial', 'open'] as const;
  return status === 'parsing' || status === 'scheduled' ? [...running, 'schedule'] : running;
}

/** The body of PATCH: what differs from before, and nothing that somebody else may have changed meanwhile. */
export function changeOf(before: Settings, after: Settings, allowed: readonly Part[]): Change {
  const changed = allowed.filter((part) => JSON.stringify(parts[part](before)) !== JSON.stringify(parts[part](after)));
  return Object.assign({}, ...changed.map((part) => parts[part](after))) as Change;
}
