import { performance } from 'node:perf_hooks';
import type { Db } from '../db/client.js';
import { pauseForAbandonedCalls } from '../db/queries/dialer/abandoned-rate.js';
import type { InviteKey } from '../domain/call/attempt-key.js';
import type { UnreportedAttempt } from '../db/queries/dialer/report-attempts.js';
import type { Logger } from '../platform/logger.js';
import type { AttemptResult, CallEvent } from '../telephony/provider.js';
import type { ZonesOfNumber } from './eligibility.js';
import type { Watch } from './health.js';
import { idsOfInvite, idsOfSeveral } from './log-ids.js';
import type { DialerMetrics } from './metrics.js';
import { createWakeSignal } from './wake-signal.js';
import { type EndedAttempt, write, type LegProgress, type RequeuedAttempt } from './write-progress.js';

/** A leg that progress is about. */
export interface Leg {
  readonly key: InviteKey;
  /** The claim under which this process follows it; changes when the process takes another id. */
  claimId: string;
  /** The process is taking another id: the leg may be held under another claim already, of which it has not heard. */
  changesHands: boolean;
  readonly accountId: string;
  readonly batchId: string | null;
  readonly gatewayId: string;
}

export interface Progress {
  event(leg: Leg, event: CallEvent): void;
  over(leg: Leg, result: AttemptResult): void;
  /** Legs of which something has been seen that is not committed. */
  uncommitted(): readonly Leg[];
  close(): Promise<void>;
}

const mostPerFlush = 500;
const retryMs = 500;
/** A dialer that has to stop tries no longer than this: the next one asks the provider about its legs. */
const closeLimitMs = 5_000;
/** One transaction for what happens within this time: a commit for each event would be most of the work. */
const gatherMs = 20;

const secondsBetween = (from: Date, until: Date): number => (until.getTime() - from.getTime()) / 1_000;

/** One line for each attempt that has ended, after its commit: what an operator looks for at night, without any number or name. */
function logEnd(logger: Logger, end: EndedAttempt): void {
  const { status, reason, sipStatusCode, answeredAt, endedAt } = end;
  logger.info(
    {
      ...idsOfInvite(end),
      ...{ status, reason },
      ...(sipStatusCode === null ? {} : { sipStatusCode }),
      ...(answeredAt === null ? {} : { talkSeconds: secondsBetween(answeredAt, endedAt) }),
      ...(end.nextAttemptAt === null ? {} : { nextAttemptAt: end.nextAttemptAt }),
    },
    'an attempt ended',
  );
}

/** Why the line before said that it was let out, and why the callee is not called now. The carrier's words may hold anything. */
function logRequeue(logger: Logger, requeue: RequeuedAttempt): void {
  const { sipStatusCode, afterSeconds, notSent } = requeue;
  logger.info(
    {
      ...idsOfInvite(requeue),
      ...(sipStatusCode === null ? {} : { sipStatusCode }),
      ...(notSent === true ? { notSent } : {}),
      afterSeconds,
    },
    'an attempt goes back to the queue after its INVITE',
  );
}

const seenWords = { ringing: 'a callee is rung', answered: 'a callee answered' } as const;

const attemptOf = ({ key, accountId, batchId, gatewayId }: Leg) => ({ ...key, accountId, batchId, gatewayId });

/**
 * Commits what is seen of legs: ringing, answered, over. One loop, one transaction at a time:
 *
 * ```
 * idle ── something is seen ──▶ gathering (20 ms) ──▶ committing up to `most` legs ── done ──▶ idle or gathering
 *                                   ▲                      └── failed ──▶ kept, `most` halved ──▶ retry after 0.5 s
 * ```
 *
 * What is seen while a transaction runs goes into the next. Nothing is dropped while the database is away: it is tried until
 * committed. If this process dies first, the dialer that takes the leg over learns the same from the provider.
 *
 * @param onCommitted called with ended attempts, for their workflows, and with gateways that have room again
 */
export function createProgress(deps: {
  readonly db: Db;
  readonly simulated: boolean;
  readonly zonesOfNumber: ZonesOfNumber;
  readonly watch: Watch;
  readonly logger: Logger;
  readonly metrics: DialerMetrics;
  readonly onCommitted: (reports: readonly UnreportedAttempt[], gatewayIds: readonly string[]) => void;
}): Progress {
  const gathered = new Map<Leg, LegProgress>();
  let flying: readonly Leg[] = [];
  let most = mostPerFlush;
  /** Null until it has to close: then until when it goes on trying. */
  const life: { giveUpMs: number | null } = { giveUpMs: null };
  const wake = createWakeSignal();

  function progressOf(leg: Leg): LegProgress {
    const known = gathered.get(leg);
    if (known !== undefined) return known;
    const progress: LegProgress = {};
    gathered.set(leg, progress);
    return progress;
  }

  /** These are not committed: they are tried again, together with what has been seen since. */
  function keep(entries: readonly (readonly [Leg, LegProgress])[]): void {
    for (const [leg, seen] of entries) gathered.set(leg, { ...seen, ...gathered.get(leg) });
  }

  async function commit(entries: readonly (readonly [Leg, LegProgress])[]): Promise<void> {
    const flush = entries.map(([leg, seen]) => ({
      ...seen,
      accountId: leg.accountId,
      batchId: leg.batchId,
      gatewayId: leg.gatewayId,
      key: { ...leg.key, claimId: leg.claimId },
    }));
    const { reports, ended, requeued, abandoning, passed } = await deps.db
      .transaction()
      .execute((tx) => write(tx, flush, deps.simulated, deps.metrics, deps.zonesOfNumber));
    // A leg that this process holds under another claim by now, or is about to, is committed again under that one.
    const claimChanges = (leg: Leg, at: number) => leg.changesHands || leg.claimId !== flush[at]?.key.claimId;
    keep(entries.filter(([leg], at) => passed[at] === false && claimChanges(leg, at)));
    for (const end of ended) logEnd(deps.logger, end);
    for (const requeue of requeued) logRequeue(deps.logger, requeue);
    if (abandoning.length > 0) await pauseAbandoning(abandoning);
    const over = flush.filter((seen) => seen.result !== undefined);
    if (over.length > 0) deps.onCommitted(reports, [...new Set(over.map((seen) => seen.gatewayId))]);
  }

  /** A pause that fails is tried again with the batch's next answered call. */
  async function pauseAbandoning(batchIds: readonly string[]): Promise<void> {
    deps.logger.warn(
      { batchIds },
      'batch calls are paused: too many answered calls were abandoned, because no agent took them',
    );
    await pauseForAbandonedCalls(deps.db, batchIds).catch((error: unknown) =>
      deps.logger.error({ err: error, batchIds }, 'batch calls could not be paused'),
    );
  }

  const running = (async () => {
    for (;;) {
      if (gathered.size === 0) {
        if (life.giveUpMs !== null) return;
        await wake.wait(60_000);
        continue;
      }
      if (life.giveUpMs === null) await new Promise((resolve) => setTimeout(resolve, gatherMs));
      const entries = [...gathered].slice(0, most);
      for (const [leg] of entries) gathered.delete(leg);
      try {
        flying = entries.map(([leg]) => leg);
        await deps.watch('commit', () => commit(entries));
        flying = [];
        most = Math.min(mostPerFlush, most * 2);
      } catch (error) {
        deps.logger.error(
          { err: error, ...idsOfSeveral(entries.map(([leg]) => attemptOf(leg))) },
          'the progress of calls could not be stored; trying again',
        );
        // Smaller transactions, and these legs last: one that cannot be stored must not hold up the others.
        most = Math.max(1, Math.floor(entries.length / 2));
        keep(entries);
        if (life.giveUpMs !== null && performance.now() > life.giveUpMs) {
          deps.logger.error(
            idsOfSeveral([...gathered.keys()].map(attemptOf)),
            'the dialer stops with progress unstored; the next dialer asks the provider',
          );
          return;
        }
        await wake.wait(retryMs);
      }
    }
  })();

  return {
    event(leg, event) {
      const seen = progressOf(leg);
      if (deps.logger.isLevelEnabled('debug')) {
        deps.logger.debug(idsOfInvite(attemptOf(leg)), seenWords[event.type]);
      }
      if (event.type === 'ringing') seen.ringingAt ??= event.at;
      else {
        seen.answeredAt ??= event.at;
        seen.answeredBy = event.answeredBy;
      }
      wake.ring();
    },
    over(leg, result) {
      progressOf(leg).result ??= result;
      wake.ring();
    },
    uncommitted: () => [...new Set([...gathered.keys(), ...flying])],
    async close() {
      life.giveUpMs = performance.now() + closeLimitMs;
      wake.ring();
      await running;
    },
  };
}
