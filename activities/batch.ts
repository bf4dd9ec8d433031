import { countsOf } from '../db/queries/batches/batches.js';
import { type CancelProgress, cancelStep } from '../db/queries/batches/cancel.js';
import { finishBatch } from '../db/queries/batches/finish.js';
import { stopIfReached } from '../db/queries/batches/stop.js';
import { startBatch } from '../db/queries/batches/start.js';
import { batchState, openGroups, type OpenGroups } from '../db/queries/batches/state.js';
import { spansOfEnded } from '../db/queries/calls/traced.js';
import type { BatchStatus, CallCounts } from '../domain/batch/batch-call.js';
import { endedUndialed } from '../domain/call/log-lines.js';
import { tracedBatch } from '../db/queries/batches/traced.js';
import { spansOfBatch } from '../domain/trace/batch-spans.js';
import { recordLater } from '../platform/tracing.js';
import { withHeartbeat } from './heartbeat.js';
import type { ActivityDeps } from './deps.js';
import { moveWindow } from './move-window.js';
import { parseBatch } from './parse-batch.js';

interface BatchRef {
  readonly accountId: string;
  readonly batchId: string;
}

export interface BatchFacts {
  /** `gone`: the batch has been deleted. */
  readonly status: BatchStatus | 'gone';
  /** ISO instant */
  readonly startsAt: string;
  readonly calls: number;
  /** The queue is still to be moved to a calling window or guardrails that were changed; omitted: not. */
  readonly windowMoving?: boolean;
  /** ISO instant at which it stops, if it can still: it is to be looked at again then. */
  readonly stopsAt?: string;
  /** Its calls by status; omitted by workers of earlier versions, and of a batch that is gone. */
  readonly counts?: CallCounts;
}

export interface FinishAnswer {
  readonly waits: boolean;
  /** ISO instant at which it is to be looked at again, if it has not been told to before. */
  readonly until?: string;
}

/** Of the calls that one cancel ends, so many have a line each; the others have one at `debug`, as they may be a million. */
const mostToldOneByOne = 1_000;

/** Activities of a batch's workflow. Each decides in Postgres, by the status that it finds there. */
export const batchActivities = (deps: ActivityDeps) => {
  const { db } = deps.database;
  /** Of calls that were settled while they waited for a retry: no dialer reports an end of theirs. */
  const traceOver = (callIds: readonly string[]) =>
    recordLater(deps, callIds.length, () => spansOfEnded(db, [], callIds));

  /** @param status sent if it has come to this; omitted: it is over */
  const traceBatch = ({ accountId, batchId }: BatchRef, status?: BatchStatus) =>
    recordLater(deps, 1, async () =>
      (await tracedBatch(db, accountId, batchId))
        .filter((batch) => status === undefined || batch.status === status)
        .flatMap(spansOfBatch),
    );

  return {
    /**
     * The state of the batch: the workflow follows this, not what it remembers. A batch that has come to one of its stop
     * conditions is stopped before it is told.
     */
    async batchFacts({ accountId, batchId }: BatchRef): Promise<BatchFacts> {
      let state = await batchState(db, accountId, batchId);
      if (state?.mayStop === true && ['scheduled', 'running'].includes(state.status)) {
        await stopIfReached(db, accountId, batchId);
        state = await batchState(db, accountId, batchId);
      }
      if (state === null) return { status: 'gone', startsAt: new Date(0).toISOString(), calls: 0 };
      const { status, startsAt, recordsUploaded: calls, windowMoving, stopsAt, counters } = state;
      const counts = countsOf(counters);
      return {
        ...{ status, startsAt: startsAt.toISOString(), calls, counts },
        ...(windowMoving ? { windowMoving } : {}),
        ...(stopsAt === null || !['scheduled', 'running'].includes(status) ? {} : { stopsAt: stopsAt.toISOString() }),
      };
    },

    parseBatch: async (batch: BatchRef): Promise<void> => {
      await parseBatch(deps, batch);
      traceBatch(batch, 'parse_failed');
    },

    /** @param now ISO instant by the workflow's clock */
    async startBatch({ accountId, batchId, now }: BatchRef & { readonly now: string }): Promise<void> {
      await startBatch(db, accountId, batchId, new Date(now));
      deps.kickOutbox();
    },

    /** Sets the times of queued attempts by the calling window and the guardrails in force now. */
    moveWindow: ({ accountId, batchId }: BatchRef): Promise<void> =>
      withHeartbeat((signal) => moveWindow(db, accountId, batchId, signal)),

    openGroups: ({ accountId, batchId }: BatchRef): Promise<OpenGroups> => openGroups(db, accountId, batchId),

    /** Settles what a cancel can settle now. `unsettled`: calls are left, because they are live. */
    async cancelCalls({ accountId, batchId }: BatchRef): Promise<{ readonly unsettled: boolean }> {
      return withHeartbeat(async (signal) => {
        let calls = 0;
        const told = ({ dropped, reason, tried }: CancelProgress): void => {
          for (const callId of dropped) {
            calls += 1;
            const level = calls <= mostToldOneByOne ? 'info' : 'debug';
            deps.logger[level]({ accountId, batchId, callId, reason }, endedUndialed);
          }
          traceOver(tried);
        };
        let step = await cancelStep(db, accountId, batchId);
        told(step);
        while (step.more && !signal.aborted) {
          step = await cancelStep(db, accountId, batchId, step.last);
          told(step);
        }
        if (calls > mostToldOneByOne)
          deps.logger.info({ accountId, batchId, calls }, 'calls ended without being dialed');
        return { unsettled: step.unsettled };
      });
    },

    /** @returns whether the workflow waits to be told, because what is left is not its own; before open batches: nothing */
    async finishBatch({ accountId, batchId }: BatchRef): Promise<FinishAnswer | undefined> {
      const { waits, until, ended } = await finishBatch(db, accountId, batchId);
      deps.kickOutbox();
      if (ended === true) traceBatch({ accountId, batchId });
      return { waits, ...(until === undefined ? {} : { until: until.toISOString() }) };
    },
  };
};
