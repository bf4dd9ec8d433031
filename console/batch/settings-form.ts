import { isOver } from '../api/batch-queries.js';
import type { Schemas } from '../api/client.js';
import { type Delay, delayOf, delaySeconds } from '../ui/delays.js';
import { preDialOf, type PreDialValues, preDialValuesOf } from '../ui/pre-dial.js';
import { type Stops, maxCostOf, stopAfterOf, stopsOf, untilOf } from '../ui/stops.js';
import { typedNumber } from '../ui/typed-number.js';
import { callingWindowOf, type WindowValues, windowValuesOf } from '../ui/windows.js';

type Batch = Schemas['BatchCallDetail'];
type Change = Schemas['UpdateBatchCall'];

/** The settings of a batch call as fields have them: everything is a text until it is sent. */
export interface Settings extends PreDialValues, Stops, WindowValues {
  readonly name: string;
  readonly description: string;
  readonly startsNow: boolean;
  readonly date: string;
  readonly time: string;
  readonly timezone: string;
  readonly maxConcurrentCalls: string;
  readonly retryOn: readonly string[];
  readonly delays: readonly Delay[];
  readonly open: boolean;
}

/** What the fields show of a batch call as it is. */
export const settingsOf = (batch: Batch): Settings => ({
  name: batch.batchName,
  description: batch.description ?? '',
  startsNow: batch.timing === 'immediate',
  date: batch.scheduledDate ?? '',
  time: batch.scheduledTime ?? '',
  timezone: batch.timezone,
  ...windowValuesOf(batch.callingWindow),
  maxConcurrentCalls: batch.maxConcurrentCalls === undefined ? '' : String(batch.maxConcurrentCalls),
  ...stopsOf(batch),
  retryOn: batch.retry.retryOn,
  delays: batch.retry.retryDelays.map(delayOf),
  open: batch.open,
  ...preDialValuesOf(batch.preDial),
});

const parts = {
  name: ({ name }: Settings) => ({ name }),
  description: ({ description }: Settings) => ({ description: description === '' ? null : description }),
  schedule: ({ startsNow, date, time, timezone }: Settings) => ({
    schedule: startsNow ? null : { date, time, timezone },
  }),
  callingWindow: (settings: Settings) => ({ callingWindow: callingWindowOf(settings) }),
  maxConcurrentCalls: ({ maxConcurrentCalls }: Settings) => ({
    maxConcurrentCalls: maxConcurrentCalls.trim() === '' ? null : typedNumber(maxConcurrentCalls),
  }),
  stopAfter: (settings: Settings) => ({ stopAfter: stopAfterOf(settings) }),
  until: (settings: Settings) => ({ until: untilOf(settings) }),
  maxCost: (settings: Settings) => ({ maxCost: maxCostOf(settings) }),
  priority: ({ priority }: Settings) => ({ priority: Number(priority) }),
  retry: ({ retryOn, delays }: Settings) => ({
    retry: delays.length === 0 ? null : { retryOn: [...retryOn], retryDelays: [...delaySeconds(delays)] },
  }),
  open: ({ open }: Settings) => ({ open }),
  preDial: (settings: Settings) => ({ preDial: preDialOf(settings) }),
} as const satisfies Record<string, (settings: Settings) => Change>;

export type Part = keyof typeof parts;

/** What of a batch call can be changed as it is now. */
export function changeable({ status, stoppedBy }: Pick<Batch, 'status' | 'stoppedBy'>): readonly Part[] {
  if (isOver(status)) return ['name', 'description'];
  // Once it has stopped, nobody else is called, and how it stopped is settled.
  const stops = stoppedBy === undefined ? (['stopAfter', 'until', 'maxCost', 'priority'] as const) : [];
  const limits = ['callingWindow', 'maxConcurrentCalls', ...stops] as const;
  const running = ['name', 'description', ...limits, 'retry', 'preDial', 'open'] as const;
  return status === 'parsing' || status === 'scheduled' ? [...running, 'schedule'] : running;
}

/** The body of PATCH: what differs from before, and nothing that somebody else may have changed meanwhile. */
export function changeOf(before: Settings, after: Settings, allowed: readonly Part[]): Change {
  const changed = allowed.filter((part) => JSON.stringify(parts[part](before)) !== JSON.stringify(parts[part](after)));
  return Object.assign({}, ...changed.map((part) => parts[part](after))) as Change;
}
