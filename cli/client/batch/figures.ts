import { z } from 'zod';
import type { ClientFlags } from '../../commands/service-options.js';
import { instantOrDay } from '../../moments.js';
import { clientOf } from '../client.js';
import { printOne, printRows, type Shown } from '../output.js';

/** Columns of rows of figures, by hour, status and so on. */
export const figures: Shown = {
  id: 'key',
  columns: {
    Key: ({ key }) => key ?? 'none',
    Calls: 'calls',
    Attempts: 'attempts',
    Answered: 'answered',
    Human: 'human',
    Machine: 'machine',
    Success: 'success',
    'Talk seconds': 'talkSeconds',
    Cost: ({ cost }) => cost ?? '',
  },
};

const totals: Shown = {
  id: 'batchId',
  columns: {
    Status: 'status',
    Calls: 'total',
    Answered: 'answered',
    'Answer rate': ({ answerRate }) => `${Math.round(100 * Number(answerRate))} %`,
    'Seconds on average': 'averageDuration',
    Attempts: 'attempts',
    Cost: 'cost.amount',
    Currency: 'cost.currency',
  },
};

const Rows = z.array(z.looseObject({}));

/** `outdial batch stats` */
export async function showStats(batchId: string, flags: ClientFlags & { readonly by?: string }): Promise<void> {
  const client = await clientOf(flags);
  const stats = await client.ask('batchCalls.getStats', { path: { batchId }, query: { by: flags.by } });
  if (flags.by === undefined) printOne(stats, totals, flags);
  else printRows(Rows.parse(stats.rows), figures, flags);
}

const points: Shown = {
  id: 'at',
  columns: { From: 'at', Dialed: 'dialed', Answered: 'answered', Ended: 'ended', 'Live at its end': 'live' },
};

export interface TimelineFlags extends ClientFlags {
  readonly step?: string;
  readonly from?: string;
  readonly to?: string;
}

const instant = (text: string | undefined, option: string): string | undefined =>
  text === undefined ? undefined : instantOrDay(text, option);

/** `outdial batch timeline` */
export async function showTimeline(batchId: string, flags: TimelineFlags): Promise<void> {
  const { step, from, to } = flags;
  const client = await clientOf(flags);
  const timeline = await client.ask('batchCalls.getTimeline', {
    path: { batchId },
    query: { step, from: instant(from, '--from'), to: instant(to, '--to') },
  });
  printRows(Rows.parse(timeline.points), points, flags);
}
