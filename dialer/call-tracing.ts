import type { Db } from '../db/client.js';
import { spansOfEnded } from '../db/queries/calls/traced.js';
import type { AttemptKey } from '../domain/call/attempt-key.js';
import type { UnreportedAttempt } from '../db/queries/dialer/report-attempts.js';
import type { Logger } from '../platform/logger.js';
import { idsOfSeveral } from './log-ids.js';
import { recordLater, type Tracing } from '../platform/tracing.js';

const mostWaiting = 20_000;
const mostPerRead = 200;
/** What an attempt with its call comes to, for those whose spans are given up. */
const spansOfOne = 9;

/** Sends the spans of a call that has ended with this attempt, and that no reporter hears of. Not waited for, and never throws. */
export function traceEndedCall(
  { db, ...to }: { readonly db: Db; readonly tracing: Tracing; readonly logger: Logger },
  last: AttemptKey,
): void {
  recordLater(to, spansOfOne, () => spansOfEnded(db, [last], [last.callId]));
}

export interface CallTracing {
  /** These attempts have ended and their workflows know: their spans are sent, some time. */
  ended(reports: readonly UnreportedAttempt[]): void;
  close(): Promise<void>;
}

/**
 * Makes spans of attempts that have ended, and of calls that are over, from what is stored of them. It reads beside the dialing,
 * one small statement at a time, and no further ahead than the queue of spans has room. It hears of an end from the reporter,
 * which reports again what a dialer that died has left: so its spans are sent by another one.
 *
 * @returns null without a collector
 */
export function createCallTracing(deps: {
  readonly db: Db;
  readonly tracing: Tracing;
  readonly logger: Logger;
}): CallTracing | null {
  const { db, tracing, logger } = deps;
  if (!tracing.on) return null;
  const waiting: UnreportedAttempt[] = [];
  let underWay: Promise<void> | null = null;
  const life = { closed: false, stopWaiting: (): void => undefined };

  /** Each wait is a promise of its own: one for the life of the process would remember all of them. */
  async function room(): Promise<void> {
    if (life.closed) return;
    await new Promise<void>((resolve) => {
      life.stopWaiting = resolve;
      void tracing.room().then(resolve);
    });
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      await room();
      const some = waiting.splice(0, mostPerRead);
      try {
        const over = new Set(some.flatMap(({ callId, nextAttemptAt }) => (nextAttemptAt === null ? [callId] : [])));
        tracing.record(await spansOfEnded(db, some, [...over]));
      } catch (error) {
        tracing.lost(some.length * spansOfOne);
        logger.warn({ err: error, ...idsOfSeveral(some) }, 'the spans of attempts could not be made');
      }
    }
  }

  return {
    ended(reports) {
      const fit = reports.slice(0, mostWaiting - waiting.length);
      if (fit.length < reports.length) tracing.lost((reports.length - fit.length) * spansOfOne);
      waiting.push(...fit);
      underWay ??= drain().finally(() => (underWay = null));
    },
    async close() {
      life.closed = true;
      life.stopWaiting();
      // What does not fit into the queue is dropped, and counted.
      await underWay;
    },
  };
}
