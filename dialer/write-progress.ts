import type { Transaction } from 'kysely';
import type { DB } from '../db/types.js';
import type { ClaimedInvite } from '../db/queries/dialer/claim-key.js';
import { attemptText } from '../domain/call/attempt-key.js';
import {
  type AttemptEnd,
  type AttemptRequeue,
  writeEnds,
  writeProgress,
  writeRequeues,
} from '../db/queries/dialer/commit-progress.js';
import { type AttemptBeforeEnd, lockForProgress } from '../db/queries/dialer/lock-for-progress.js';
import { uncountDials } from '../db/queries/dialer/uncount-dials.js';
import { stopReached } from '../db/queries/batches/stop.js';
import { countAnsweredCalls, type AnsweredCalls } from '../db/queries/dialer/abandoned-rate.js';
import { announceAttempts } from '../db/queries/dialer/announce-attempts.js';
import { writeGatewayHealth, type GatewayEnd } from '../db/queries/dialer/gateway-health.js';
import { liveCallsOfGateways } from '../db/queries/dialer/live-calls.js';
import type { UnreportedAttempt } from '../db/queries/dialer/report-attempts.js';
import type { AnsweredBy } from '../domain/call/call.js';
import { calleeHour } from '../domain/call/callee-hour.js';
import { countryOfEnd } from '../domain/call/country-of-end.js';
import { dispositionOf, type Disposition } from '../domain/call/disposition.js';
import type { AttemptResult } from '../telephony/provider.js';
import { decide, type Decision } from './decide.js';
import type { ZonesOfNumber } from './eligibility.js';
import type { DialerMetrics } from './metrics.js';

/** What has been seen of a leg and is not committed yet. */
export interface LegProgress {
  ringingAt?: Date;
  answeredAt?: Date;
  answeredBy?: AnsweredBy;
  result?: AttemptResult;
}

/** The same, with the keys of the leg. */
export interface Seen extends LegProgress {
  readonly key: ClaimedInvite;
  readonly accountId: string;
  readonly batchId: string | null;
  readonly gatewayId: string;
}

/** What an attempt was dialed for, and through which gateway. */
type DialedFor = Pick<Seen, 'accountId' | 'batchId' | 'gatewayId'>;

export type EndedAttempt = AttemptEnd & DialedFor;
export type RequeuedAttempt = AttemptRequeue & DialedFor;

export interface Written {
  readonly reports: readonly UnreportedAttempt[];
  readonly ended: readonly EndedAttempt[];
  readonly requeued: readonly RequeuedAttempt[];
  readonly abandoning: readonly string[];
  /** For each leg of the flush: true if this process still held it. */
  readonly passed: readonly boolean[];
}

/** Writes one flush: progress of legs that go on, ends, requeues, and the health of their gateways. */
export async function write(
  tx: Transaction<DB>,
  flush: readonly Seen[],
  simulated: boolean,
  metrics: DialerMetrics,
  zonesOfNumber: ZonesOfNumber,
): Promise<Written> {
  const before = await lockForProgress(tx, flush);
  const passed = flush.map(({ key }) => before.get(attemptText(key))?.claimId === key.claimId);
  const current = oncePerAttempt(flush).flatMap((seen) => {
    const row = before.get(attemptText(seen.key));
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
    return { reports: [], ended: [], requeued: [], abandoning: [], passed };
  }

  // A carrier that is out of channels has told us its limit: the calls that are live on its gateway now.
  const full = over
    .filter(({ row, result }) => isShortOfChannels(dispositionOf(result, row)))
    .map(({ row }) => row.gatewayId);
  const live = await liveCallsOfGateways(tx, [...new Set(full)]);
  const decisions = over.map(({ row, accountId, batchId, ringingAt, answeredAt, answeredBy, result }) => ({
    gatewayId: row.gatewayId,
    dialedAt: row.dialedAt,
    country: countryOfEnd(row.toNumber),
    hour: calleeHour(row.dialedAt, [...(row.timeZones ?? []), ...zonesOfNumber(row.toNumber)]),
    accountId,
    batchId,
    stopsAfterAnswers: row.stopsAfterAnswers,
    stopsAtCost: row.stopsAtCost,
    agentMissing: result.how === 'agent_missing',
    ...decide(row, withSeen(result, answeredAt, answeredBy), ringingAt ?? null, live.get(row.gatewayId) ?? 0),
  }));
  const ends = decisions.flatMap((decision) =>
    decision.kind === 'end'
      ? [
          {
            ...decision.end,
            ...dialedFor(decision),
            ...(decision.hour === null ? {} : { calleeHour: decision.hour }),
            ...(decision.country === null ? {} : { country: decision.country }),
          },
        ]
      : [],
  );
  const reports = await writeEnds(tx, ends, simulated);
  await stopReached(tx, endedLast(decisions));
  const requeued = decisions.flatMap((decision) =>
    decision.kind === 'requeue' ? [{ ...decision.requeue, ...dialedFor(decision) }] : [],
  );
  await writeRequeues(tx, requeued);
  await uncountDials(
    tx,
    [...ends, ...requeued].filter(({ notSent }) => notSent === true),
  );
  await announceAttempts(tx, announced);
  const signs = decisions.flatMap(({ gatewayId, dialedAt, sign }): GatewayEnd[] =>
    sign === null ? [] : [{ gatewayId, dialedAt, sign }],
  );
  await writeGatewayHealth(tx, signs);
  for (const end of ends) metrics.ended.inc({ status: end.status });
  return { reports, ended: ends, requeued, abandoning: await countAnsweredCalls(tx, answeredCalls(decisions)), passed };
}

/**
 * A process may follow one leg twice: what was seen of it was not committed when it asked the provider about it again. An end
 * counts more than progress, and the first of two.
 */
function oncePerAttempt(flush: readonly Seen[]): readonly Seen[] {
  const claims = new Map<string, Seen>();
  for (const seen of flush) {
    const known = claims.get(seen.key.claimId);
    if (known === undefined || (known.result === undefined && seen.result !== undefined))
      claims.set(seen.key.claimId, seen);
  }
  return claims.size === flush.length ? flush : [...claims.values()];
}

const dialedFor = ({ accountId, batchId, gatewayId }: DialedFor): DialedFor => ({ accountId, batchId, gatewayId });

type MayStop = Decision &
  Pick<AttemptBeforeEnd, 'stopsAfterAnswers' | 'stopsAtCost'> & { readonly batchId: string | null };

/** Batches that stop after so many answers and got one, or at a cost: counters and costs have these ends now. */
const endedLast = (decisions: readonly MayStop[]): string[] => [
  ...new Set(
    decisions.flatMap(({ batchId, stopsAtCost, stopsAfterAnswers, ...decision }) =>
      decision.kind === 'end' &&
      (stopsAtCost || (stopsAfterAnswers && decision.end.status === 'answered')) &&
      batchId !== null
        ? [batchId]
        : [],
    ),
  ),
];

/** Counts the answered calls of each batch, and those of them that no agent took. */
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

const isShortOfChannels = (disposition: Disposition): boolean =>
  disposition.kind === 'requeue' && disposition.why === 'channels';

const withSeen = (
  result: AttemptResult,
  answeredAt: Date | undefined,
  answeredBy: AnsweredBy | undefined,
): AttemptResult => ({
  ...result,
  ...(result.answeredAt === undefined && answeredAt !== undefined ? { answeredAt } : {}),
  ...(result.answeredBy === undefined && answeredBy !== undefined ? { answeredBy } : {}),
});
