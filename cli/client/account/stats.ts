import { z } from 'zod';
import type { ClientFlags } from '../../commands/service-options.js';
import { figures } from '../batch/figures.js';
import { clientOf } from '../client.js';
import { printRows } from '../output.js';

export interface StatsFlags extends ClientFlags {
  readonly by: string;
  readonly from?: string;
  readonly to?: string;
}

const Stats = z.looseObject({ rows: z.array(z.looseObject({})) });

/** `outdial stats` */
export async function showAccountStats(flags: StatsFlags): Promise<void> {
  const { by, from, to } = flags;
  const answer = await (await clientOf(flags)).ask('stats.get', { query: { by, from, to } });
  printRows(Stats.parse(answer).rows, figures, flags);
}
