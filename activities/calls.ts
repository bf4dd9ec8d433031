import { type CarriedCalls, openCalls } from '../db/queries/open-calls.js';
import { type QueueAnswer, queueAttempts, type QueueRequest } from '../db/queries/queue-attempts.js';
import type { ActivityDeps } from './deps.js';

/** Call, attempt, ISO instant at which it is due (null: at once), whether it is in the queue or live already. */
export type OpenCallEntry = readonly [callId: string, attempt: number, dueAt: string | null, queued: boolean];

/** What the workflow that carries calls can cause. */
export const callsActivities = ({ database: { db } }: ActivityDeps) => ({
  /** What is left to do, from Postgres. */
  async openCalls(calls: CarriedCalls): Promise<OpenCallEntry[]> {
    const open = await openCalls(db, calls);
    return open.map(({ callId, attempt, dueAt, queued }) => [callId, attempt, dueAt?.toISOString() ?? null, queued]);
  },

  /** Hands attempts to the dialer. */
  queueAttempts: (request: QueueRequest): Promise<QueueAnswer> => queueAttempts(db, request, new Date()),
});
