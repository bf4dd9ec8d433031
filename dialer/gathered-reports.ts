import type { UnreportedAttempt } from '../db/queries/dialer/report-attempts.js';
import { attemptText, type AttemptKey } from '../domain/call/attempt-key.js';
import { callWorkflowId } from '../domain/workflow/ids.js';
import type { Moment } from './moment.js';

/** Ends of attempts that wait to be told to their workflows. */
export interface GatheredReports {
  add(reports: readonly UnreportedAttempt[]): void;
  readonly isEmpty: () => boolean;
  has(key: AttemptKey): boolean;
  /** Takes out those that are to be told now, by workflow. @param all none is kept back */
  take(at: Moment, all: boolean): Map<string, readonly UnreportedAttempt[]>;
}

/** A workflow of many calls that hears of ends all the time hears of them once in this time. */
const apartMs = 1_000;
/** It hears of an end at once if the retry is due this soon: it takes a moment to get into the queue. */
const retryLeadMs = 500;

/**
 * Each signal costs Temporal several times what an end in it does. So a workflow of many calls that was told of ends within
 * the last second hears of the next ones when that second is over, unless a retry is due soon. A workflow of one call, and
 * one that has heard of nothing for a second, hears at once.
 */
export function createGatheredReports(): GatheredReports {
  let gathered = new Map<string, UnreportedAttempt>();
  /** When each workflow of many calls was told last, by the monotonic clock. */
  const told = new Map<string, number>();

  return {
    add(reports) {
      for (const report of reports) gathered.set(attemptText(report), report);
    },
    isEmpty: () => gathered.size === 0,
    has: (key) => gathered.has(attemptText(key)),
    take({ monotonicMs, wallMs }, all) {
      for (const [id, toldMs] of told) if (toldMs + apartMs <= monotonicMs) told.delete(id);
      const taken = byWorkflow(gathered.values());
      gathered = new Map();
      for (const [id, reports] of taken) {
        if (all || !told.has(id) || reports.some((report) => isDueBy(report, wallMs + retryLeadMs))) {
          if (reports.some(isOneOfMany)) told.set(id, monotonicMs);
        } else {
          taken.delete(id);
          this.add(reports);
        }
      }
      return taken;
    },
  };
}

function byWorkflow(reports: Iterable<UnreportedAttempt>): Map<string, UnreportedAttempt[]> {
  const groups = new Map<string, UnreportedAttempt[]>();
  for (const report of reports) {
    const id = callWorkflowId(report);
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [report]);
    else group.push(report);
  }
  return groups;
}

const isOneOfMany = ({ batchId, callsPerWorkflow }: UnreportedAttempt): boolean =>
  batchId !== null && (callsPerWorkflow ?? 1) > 1;

const isDueBy = ({ nextAttemptAt }: UnreportedAttempt, wallMs: number): boolean =>
  nextAttemptAt !== null && nextAttemptAt.getTime() <= wallMs;
