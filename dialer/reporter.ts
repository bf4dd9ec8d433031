import type { Db } from '../db/client.js';
import {
  markReported,
  unreportedAttempts,
  withSettledCall,
  type UnreportedAttempt,
} from '../db/queries/dialer/report-attempts.js';
import type { EndedAttempt } from '../domain/workflow/contract.js';
import type { Logger } from '../platform/logger.js';
import { createGatheredReports } from './gathered-reports.js';
import { idsOfSeveral } from './log-ids.js';
import { now } from './moment.js';

/**
 * Tells a workflow that attempts have ended (signal `attemptsEnded`).
 *
 * @returns `missing` if there is no such workflow
 */
export type TellWorkflow = (workflowId: string, ended: readonly EndedAttempt[]) => Promise<'taken' | 'missing'>;

export interface Reporter {
  add(reports: readonly UnreportedAttempt[]): void;
  /** Reports again what a dialer that died left unreported, and what Temporal could not take. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/**
 * At most one signal per workflow in this time, because Temporal closes a workflow task by force at over 100 buffered events.
 * If many workflows hear of few ends each, signals would be most of Temporal's work: the time then grows up to the longer one.
 * Workflows of many calls hear more seldom, see gathered-reports.ts.
 */
const shortGatherMs = 200;
const longGatherMs = 1_000;
const manySignals = 20;
const fewEnds = 4;
const signalsAtOnce = 20;
const sweepOlderThanSeconds = 3;
const sweepMost = 2_000;

/** Signals ended attempts to the workflows that carry their calls, and repeats it until each has been taken. */
export function createReporter(deps: {
  readonly db: Db;
  readonly tell: TellWorkflow;
  /** Called with ends that workflows have taken, once they are marked. */
  readonly onReported?: ((reports: readonly UnreportedAttempt[]) => void) | undefined;
  readonly logger: Logger;
}): Reporter {
  const gathered = createGatheredReports();
  let gatherMs = shortGatherMs;
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> = Promise.resolve();
  let closed = false;

  function schedule(): void {
    if (timer !== null || closed || gathered.isEmpty()) return;
    timer = setTimeout(() => {
      sending = flush().finally(() => {
        timer = null;
        schedule();
      });
    }, gatherMs);
  }

  async function flush(): Promise<void> {
    const byWorkflow = gathered.take(now(), closed);
    const ends = [...byWorkflow.values()].reduce((sum, reports) => sum + reports.length, 0);
    gatherMs =
      byWorkflow.size >= manySignals && ends < byWorkflow.size * fewEnds
        ? Math.min(longGatherMs, gatherMs * 2)
        : Math.max(shortGatherMs, gatherMs / 2);
    const waiting = [...byWorkflow];
    const taken: UnreportedAttempt[] = [];
    await Promise.all(
      Array.from({ length: signalsAtOnce }, async () => {
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) taken.push(...(await tell(...next)));
      }),
    );
    if (taken.length === 0) return;
    try {
      await markReported(deps.db, taken);
    } catch (error) {
      // The sweep tells the workflows again, which is harmless.
      deps.logger.warn(
        { err: error, ...idsOfSeveral(taken) },
        'ended attempts could not be marked as reported; they are reported again',
      );
      return;
    }
    deps.onReported?.(taken);
  }

  async function tell(
    workflowId: string,
    reports: readonly UnreportedAttempt[],
  ): Promise<readonly UnreportedAttempt[]> {
    try {
      const answer = await deps.tell(
        workflowId,
        reports.map((report) => [report.callId, report.attempt, report.nextAttemptAt?.toISOString() ?? null] as const),
      );
      return answer === 'taken' ? reports : await withSettledCall(deps.db, reports);
    } catch (error) {
      deps.logger.warn(
        { err: error, workflowId, ...idsOfSeveral(reports) },
        'ended attempts could not be reported to their workflow; trying again',
      );
      return [];
    }
  }

  return {
    add(reports) {
      gathered.add(reports);
      schedule();
    },
    async sweep() {
      const unreported = await unreportedAttempts(deps.db, sweepOlderThanSeconds, sweepMost);
      this.add(unreported.filter((report) => !gathered.has(report)));
    },
    async close() {
      if (timer !== null) clearTimeout(timer);
      closed = true;
      await sending;
      await flush();
    },
  };
}
