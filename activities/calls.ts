import { type CarriedCalls, openCalls } from '../db/queries/calls/open.js';
import { tellIfNothingIsLeft } from '../db/queries/batches/added-groups.js';
import { type QueueAnswer, queueAttempts, type QueueRequest } from '../db/queries/calls/queue-attempts.js';
import type { ActivityDeps } from './deps.js';
import { holdForHours } from './hold-for-hours.js';

/** Call, attempt, ISO instant at which it is due (null: at once), whether it is in the queue or live already. */
export type OpenCallEntry = readonly [callId: string, attempt: number, dueAt: string | null, queued: boolean];

/** Activities of the workflow that takes calls through their attempts. */
export const callsActivities = ({ database: { db }, kickOutbox }: ActivityDeps) => ({
  /** Reads the open calls from Postgres. */
  async openCalls(calls: CarriedCalls): Promise<OpenCallEntry[]> {
    const open = await openCalls(db, calls);
    return open.map(({ callId, attempt, dueAt, queued }) => [callId, attempt, dueAt?.toISOString() ?? null, queued]);
  },

  /** An added group has ended: its batch, whose child it is not, is told if nothing else is left. */
  async addedGroupEnded({
    accountId,
    batchId,
  }: {
    readonly accountId: string;
    readonly batchId: string;
  }): Promise<void> {
    await tellIfNothingIsLeft(db, accountId, batchId);
    kickOutbox();
  },

  /** Puts attempts in the dialers' queue. */
  async queueAttempts(request: QueueRequest): Promise<QueueAnswer> {
    const now = new Date();
    return holdForHours(db, request, await queueAttempts(db, request, now), now);
  },
});
