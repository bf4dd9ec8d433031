import { performance } from 'node:perf_hooks';
import { sql, type Transaction } from 'kysely';
import type { Db } from '../db/client.js';
import type { DB } from '../db/types.js';
import { keyText, type ClaimedInvite } from '../db/queries/dialer/attempt-key.js';
import {
  lockForProgress,
  writeEnds,
  writeProgress,
  writeRequeues,
  type AttemptBeforeEnd,
} from '../db/queries/dialer/commit-progress.js';
import { countAnsweredCalls, pauseForAbandonedCalls, type AnsweredCalls } from '../db/queries/dialer/abandoned-rate.js';
import { announceAttempts } from '../db/queries/dialer/announce-attempts.js';
import { writeGatewayHealth, type GatewayEnd } from '../db/queries/dialer/gateway-health.js';
import type { UnreportedAttempt } from '../db/queries/dialer/report-attempts.js';
import type { AnsweredBy } from '../domain/call.js';
import type { Logger } from '../platform/logger.js';
import type { AttemptResult, CallEvent } from '../telephony/provider.js';
import { decide, type Decision } from './decide.js';
import type { DialerMetrics } from './metrics.js';
import { createWake } from './wake.js';

/** A leg that progress is about. */
export interface Leg {
  readonly key: ClaimedInvite;
  readonly batchId: string | null;
  readonly gatewayId: string;
}

interface Seen extends Leg {
  ringingAt?: Date;
  answeredAt?: Date;
  answeredBy?: AnsweredBy;
  result?: AttemptResult;
}

export interface Progress {
  event(leg: Leg, event: CallEvent): void;
  over(leg: Leg, result: AttemptResult): void;
  close(): Promise<void>;
}

const mostPerFlush = 500;
const retryMs = 500;
/** A dialer that is told to stop tries no longer than this: the next one asks the provider about its legs. */
const closeLimitMs = 5_000;
/** One transaction for what happens within this time: a commit for each event would be most of the work. */
const gatherMs = 20;

/**
 * Commits what is seen of legs: ringing, answered, over. Whatever gathers while one transaction runs goes into the next, so
 * the busier it is the more each carries. Nothing is forgotten while the database is away: it is tried until committed,
 * and if this process dies first, whoever takes the leg over learns the same from the provider.
 *
 * @param onCommitted told of ended attempts, for their workflows, and of gateways that have room again
 */
export function createProgress(deps: {
  readonly db: Db;
  readonly simulated: boolean;
  readonly logger: Logger;
  readonly metrics: DialerMetrics;
  readonly onCommitted: (reports: readonly UnreportedAttempt[], gatewayIds: readonly string[]) => void;
}): Progress {
  const gathered = new Map<string, Seen>();
  let most = mostPerFlush;
  /** Null until it is told to close: then until when it goes on trying. */
  const life: { giveUpMs: number | null } = { giveUpMs: null };
  const wake = createWake();

  function see(leg: Leg): Seen {
    const id = leg.key.claimId;
    const known = gathered.get(id);
    if (known !== undefined) return known;
    const seen: Seen = { ...leg };
    gathered.set(id, seen);
    return seen;
  }

  async function commit(flush: readonly Seen[]): Promise<void> {
    const { reports, abandoning } = await deps.db
      .transaction()
      .execute((tx) => write(tx, flush, deps.simulated, deps.metrics));
    if (abandoning.length > 0) await pauseAbandoning(abandoning);
    const over = flush.filter((seen) => seen.result !== undefined);
    if (over.length > 0) deps.onCommitted(reports, [...new Set(over.map((seen) => seen.gatewayId))]);
  }

  /** A pause that fails is tried again with the batch's next answered call. */
  async function pauseAbandoning(batchIds: readonly string[]): Promise<void> {
    deps.logger.warn({ batchIds }, 'batch calls are paused: too many of their answered calls found no agent');
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
      for (const [id] of entries) gathered.delete(id);
      try {
        await commit(entries.map(([, seen]) => seen));
        most = Math.min(mostPerFlush, most * 2);
      } catch (error) {
        deps.logger.error({ err: error, legs: entries.length }, 'progress of calls could not be stored; trying again');
        // Smaller flushes, and these last: what one leg says that cannot be stored must not hold up the others.
        most = Math.max(1, Math.floor(entries.length / 2));
        for (const [id, seen] of entries) gathered.set(id, { ...seen, ...gathered.get(id) });
        if (life.giveUpMs !== null && performance.now() > life.giveUpMs) {
          deps.logger.error(
            { legs: gathered.size },
            'stopped with progress unstored; the next dialer asks the provider',
          );
          return;
        }
        await wake.wait(retryMs);
      }
    }
  })();

  return {
    event(leg, event) {
      const seen = see(leg);
      if (event.type === 'ringing') seen.ringingAt ??= event.at;
      else {
        seen.answeredAt ??= event.at;
        seen.answeredBy = event.answeredBy;
      }
      wake.ring();
    },
    over(leg, result) {
      see(leg).result ??= result;
      wake.ring();
    },
    async close() {
      life.giveUpMs = performance.now() + closeLimitMs;
      wake.ring();
      await running;
    },
  };
}

/** One flush: progress of legs that go on, ends, requeues, and what they say about gateways. */
async function write(
  tx: Transaction<DB>,
  flush: readonly Seen[],
  simulated: boolean,
  metrics: DialerMetrics,
): Promise<{ readonly reports: readonly UnreportedAttempt[]; readonly abandoning: readonly string[] }> {
  const before = await lockForProgress(tx, flush);
  const current = flush.flatMap((seen) => {
    const row = before.get(keyText(seen.key));
    return row?.claimId !== seen.key.claimId ? [] : [{ ...seen, row }];
  });
  const over = current.flatMap((leg) => (leg.result === undefined ? [] : [{ ...leg, result: leg.result }]));

  await writeProgress(
    tx,
    current.flatMap(({ key, batchId, ringingAt, answeredAt, answeredBy, result }) =>
      result !== undefined
        ? []
        : [
            {
              ...key,
              batchId,
              ...(ringingAt === undefined ? {} : { ringingAt }),
              ...(answeredAt === undefined ? {} : { answeredAt }),
              ...(answeredBy === undefined ? {} : { answeredBy }),
            },
          ],
    ),
  );
  const announced = current.filter(({ row }) => row.announced).map(({ key }) => key);
  if (over.length === 0) {
    await announceAttempts(tx, announced);
    return { reports: [], abandoning: [] };
  }

  const live = await liveCalls(tx, over);
  const decisions = over.map(({ row, batchId, ringingAt, answeredAt, answeredBy, result }) => ({
    ...{ gatewayId: row.gatewayId, batchId, agentMissing: result.how === 'agent_missing' },
    ...decide(row, withSeen(result, answeredAt, answeredBy), ringingAt ?? null, live.get(row.gatewayId) ?? 0),
  }));
  const ends = decisions.flatMap((decision) => (decision.kind === 'end' ? [decision.end] : []));
  const reports = await writeEnds(tx, ends, simulated);
  await writeRequeues(
    tx,
    decisions.flatMap((decision) => (decision.kind === 'requeue' ? [decision.requeue] : [])),
  );
  await announceAttempts(tx, announced);
  const signs = decisions.flatMap(({ gatewayId, sign }): GatewayEnd[] => (sign === null ? [] : [{ gatewayId, sign }]));
  await writeGatewayHealth(tx, signs, new Date());
  for (const end of ends) metrics.ended.inc({ status: end.status });
  return { reports, abandoning: await countAnsweredCalls(tx, answeredCalls(decisions)) };
}

/** Answered calls of batches, and those of them that no agent took. */
function answeredCalls(
  decisions: readonly (Decision & { readonly batchId: string | null; readonly agentMissing: boolean })[],
): AnsweredCalls[] {
  const counts = new Map<string, AnsweredCalls>();
  for (const decision of decisions) {
    const { batchId, agentMissing } = decision;
    if (batchId === null || decision.kind !== 'end') continue;
    if (!agentMissing && decision.end.status !== 'answered') continue;
    const { answered, abandoned } = counts.get(batchId) ?? { answered: 0, abandoned: 0 };
    counts.set(batchId, { batchId, answered: answered + 1, abandoned: abandoned + (agentMissing ? 1 : 0) });
  }
  return [...counts.values()];
}

const withSeen = (
  result: AttemptResult,
  answeredAt: Date | undefined,
  answeredBy: AnsweredBy | undefined,
): AttemptResult => ({
  ...result,
  ...(result.answeredAt === undefined && answeredAt !== undefined ? { answeredAt } : {}),
  ...(result.answeredBy === undefined && answeredBy !== undefined ? { answeredBy } : {}),
});

/** Live calls of the gateways of refused legs: a carrier that is out of channels has told us its limit. */
async function liveCalls(
  tx: Transaction<DB>,
  over: readonly { readonly row: AttemptBeforeEnd; readonly result: AttemptResult }[],
): Promise<Map<string, number>> {
  const gatewayIds = [
    ...new Set(over.filter(({ result }) => result.how === 'refused').map(({ row }) => row.gatewayId)),
  ];
  if (gatewayIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; live: number }>`
    select gateway_id as id, count(*)::integer as live from call_attempts
    where gateway_id = any(${gatewayIds}::text[]) and phase in ('dialing', 'ringing', 'answered')
    group by gateway_id`.execute(tx);
  return new Map(rows.map((row) => [row.id, row.live]));
}
