import { v5, v7 } from 'uuid';
import { formatId } from '../ids.js';

/** How a run came out; `asked`: no worker has carried out the request yet. */
export const runOutcomes = ['asked', 'made', 'empty', 'failed', 'missed'] as const;
export type RunOutcome = (typeof runOutcomes)[number];

/** A run of the schedule that could not be made within this time is not made up: nobody is called at night for the morning. */
export const mostLateMs = 3_600_000;

/** A run; the instant is that of the schedule or of the request that asked for it. */
export interface RunKey {
  readonly accountId: string;
  readonly campaignId: string;
  readonly dueAt: Date;
}

/** Id of the batch call of a run: the same however often the run is carried out, and in order of time among others. */
export function batchIdOfRun({ campaignId, dueAt }: Pick<RunKey, 'campaignId' | 'dueAt'>): string {
  const random = v5(`${campaignId} ${dueAt.toISOString()}`, v5.URL, new Uint8Array(16));
  return formatId('batch', v7({ msecs: dueAt.getTime(), random }));
}

/** Name of the batch call of a run whose template has none: the campaign's, with the time of its clock. */
export function batchNameOfRun(name: string, dueAt: Date, timeZone: string): string {
  const at = dueAt.toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return `${name} ${at}`;
}
