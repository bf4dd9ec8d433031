import { performance } from 'node:perf_hooks';
import { Registry } from 'prom-client';
import type { Database } from '../db/client.js';
import { databaseNow } from '../db/queries/clock.js';
import type { ClaimedAttempt } from '../db/queries/dialer/claim-attempts.js';
import { preDialChannel } from '../db/queries/dialer/pre-dial.js';
import { suspendGateway } from '../db/queries/dialer/gateway-health.js';
import { settleUndialed, type UndialedAttempt, type UndialedEnd } from '../db/queries/dialer/settle-undialed.js';
import { dialChannel, wakeGateways, wakeSleepers } from '../db/queries/dialer/wake-gateways.js';
import type { Logger } from '../platform/logger.js';
import type { GuardedFetch } from '../platform/outbound-url.js';
import { noTracing, type Tracing } from '../platform/tracing.js';
import type { CallProvider } from '../telephony/provider.js';
import { createAdmission, createQueueJudge } from './admit.js';
import { createAgentSlotCount } from './agent-slots.js';
import { startClaiming } from './claiming.js';
import { createDialPipeline } from './dial-pipeline.js';
import { createEligibilityCheck, type ZonesOfNumber } from './eligibility.js';
import { createHealth, createWatch } from './health.js';
import { takeLease } from './lease.js';
import { createLegs } from './legs.js';
import { listen } from './listen.js';
import { runLoops, type Loop } from './loops.js';
import { idsOf, idsOfSeveral, type LoggedAttempt } from './log-ids.js';
import { createDialerMetrics } from './metrics.js';
import { orderFor, type OpenSecret } from './order.js';
import { createPreDialAsker } from './pre-dial.js';
import { createProgress } from './progress.js';
import { sweepQueue, type SweptQueue } from './queue-sweep.js';
import { createCallTracing } from './call-tracing.js';
import { createReporter, type TellWorkflow } from './reporter.js';
import { nextTenure, type Tenure } from './tenure.js';
import { createTransfers } from './transfers.js';
import { createWarmTransfers } from './warm-transfers.js';
import { createUnsent } from './unsent.js';
import { upkeepOf } from './upkeep.js';
import type { EndReason } from '../domain/call/end-reasons.js';
import { endedUndialed } from '../domain/call/log-lines.js';
import { createWakeSignal } from './wake-signal.js';

export interface DialerOptions {
  readonly database: Database;
  readonly provider: CallProvider;
  readonly openSecret: OpenSecret;
  /** Time zones of E.164 numbers, for calling hours and attempts per day. */
  readonly zonesOfNumber: ZonesOfNumber;
  readonly tell: TellWorkflow;
  /** Asks addresses that clients name. */
  readonly fetchOutside: GuardedFetch;
  readonly logger: Logger;
  readonly metrics?: Registry;
  /** Where spans of calls go; omitted: nowhere. */
  readonly tracing?: Tracing;
  /** Regions whose agents take calls, the one that `auto` means first; omitted: agents are simulated, and always there. */
  readonly agentRegions?: readonly string[];
  /** Life of the lease under which this process holds attempts; it is renewed five times in it. */
  readonly leaseSeconds?: number;
  /** How late after its slot an INVITE may leave at least, 5,000 at most; omitted: 50. What is later waits for another slot. */
  readonly leastPatienceMs?: number;
}

export interface Dialer {
  /** The id under which it holds attempts now; it takes another one when its lease has run out. */
  readonly processId: string;
  /** Why it does not do its work, for an operator to read; null if it does. */
  trouble(): string | null;
  /**
   * Stops claiming, gives back what was not dialed, lets unanswered legs end so that their SIP codes are not lost (at most
   * 80 s), and leaves answered ones to the next dialer: the provider carries them on.
   */
  close(): Promise<void>;
}

const hangUpChannel = 'outdial_hang_up';
const transferChannel = 'outdial_transfer';
const defaultLeaseSeconds = 15;
const sweepEveryMs = 2_000;
/** A notification brings it sooner. */
const preDialEveryMs = 1_000;
const forgottenEveryMs = 10_000;
const slotsEveryMs = 5_000;
const stopLimitMs = 80_000;

/**
 * Starts a dialer: the only code that starts a call. Any number of them may run; what they share is in Postgres.
 *
 * Two things go on at once. Claiming (claiming.ts) feeds the pipeline: claim → admit → prepare → pace → gate → dial → commit
 * the outcome → tell the workflow. Beside it run the loops of the table below, each at its own pace; a notification of
 * Postgres starts a round early. docs/architecture.md has the phases of an attempt and who moves it between them.
 */
export async function startDialer(options: DialerOptions): Promise<Dialer> {
  const { database, provider, logger, agentRegions = [] } = options;
  const { db, pool } = database;
  const leaseSeconds = options.leaseSeconds ?? defaultLeaseSeconds;
  const metrics = createDialerMetrics(options.metrics ?? new Registry());
  const health = createHealth();
  const watch = createWatch(health, metrics.failures);
  const claimWake = createWakeSignal();
  const hangUpWake = createWakeSignal();
  const transferWake = createWakeSignal();
  const preDialWake = createWakeSignal();
  let stopping = false;

  const callTracing = createCallTracing({ db, tracing: options.tracing ?? noTracing, logger });
  const reporter = createReporter({
    db,
    tell: options.tell,
    onReported: callTracing === null ? undefined : (reports) => callTracing.ended(reports),
    logger,
  });
  const progress = createProgress({
    db,
    watch,
    simulated: provider.simulated,
    zonesOfNumber: options.zonesOfNumber,
    logger,
    metrics,
    onCommitted(reports, gatewayIds) {
      reporter.add(reports);
      wake(gatewayIds);
    },
  });
  /** As at the end of an attempt: one line each. */
  const undialed = (ends: readonly (UndialedEnd & { readonly reason: EndReason })[]): void => {
    for (const end of ends) logger.info({ ...idsOf(end), reason: end.reason }, endedUndialed);
    reporter.add(ends);
  };
  const settle = async (keys: readonly UndialedAttempt[], reason: EndReason) =>
    undialed((await settleUndialed(db, keys, reason)).map((end) => ({ ...end, reason })));
  const unjudged = (attempt: LoggedAttempt, error: unknown): void =>
    logger.error(
      { err: error, ...idsOf(attempt) },
      'it cannot be worked out when a call may be made; it is looked at again later',
    );
  const judge = createEligibilityCheck(db, options.zonesOfNumber, unjudged);
  const admit = createAdmission({ db, settle, logger, judge });
  const unsent = createUnsent({ db, logger, neverSent: ({ attempt, order }) => legs.neverSent(attempt, order) });

  const preDial = createPreDialAsker({
    db,
    settle,
    logger,
    metrics,
    fetchOutside: options.fetchOutside,
    openSecret: options.openSecret,
    zonesOfNumber: options.zonesOfNumber,
    judgeQueued: createQueueJudge({ db, settle, judge }),
    wake: (gatewayIds) => wake(gatewayIds),
    onRoom: () => preDialWake.ring(),
  });

  async function begin(): Promise<Tenure> {
    const lease = await takeLease(db, leaseSeconds, () => health.trouble() !== null);
    const pipeline = createDialPipeline({
      db,
      lease,
      provider,
      logger,
      metrics,
      settle,
      admit,
      watch,
      orderFor: (attempt) => orderFor(attempt, options.openSecret),
      dial: (attempt, order) => legs.dial(attempt, order),
      unsendable: (attempt, order) => legs.neverSent(attempt, order),
      unanswered: (dials) => unsent.add(dials),
      unorderable: suspendUnorderable,
      leastPatienceMs: options.leastPatienceMs,
    });
    return { lease, pipeline };
  }

  let tenure: Tenure = await begin();
  const processId = () => tenure.lease.processId;
  const legs = createLegs({ db, processId, provider, progress, logger, metrics });
  const allTransfers = [
    createTransfers({ db, processId, provider, logger }),
    createWarmTransfers({ db, processId, provider, openSecret: options.openSecret, logger }),
  ];

  function wake(gatewayIds: readonly string[]): void {
    wakeGateways(db, gatewayIds)
      .then(() => claimWake.ring())
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'the dialers of a gateway could not be notified; their next poll finds its calls'),
      );
  }

  /** No INVITE can be made of what is stored of the gateway: all its calls wait, and the account can read why. */
  async function suspendUnorderable(attempt: ClaimedAttempt, error: unknown): Promise<void> {
    const { gatewayId } = attempt;
    logger.error(
      { err: error, ...idsOf(attempt) },
      'no INVITE can be made from the settings of a gateway; it is suspended',
    );
    await suspendGateway(db, gatewayId, 'The credentials of the gateway cannot be read. Set its password again.');
  }

  async function beat(): Promise<void> {
    const next = await nextTenure(tenure, begin, (id) => legs.adopt(id));
    if (next === tenure) return;
    logger.warn({ was: processId(), now: next.lease.processId }, 'the lease had run out; going on under a new id');
    metrics.leasesLost.inc();
    tenure = next;
    claimWake.ring();
  }

  async function sweep(): Promise<void> {
    const { reports, gatewayIds, ...swept } = await sweepQueue(db, await databaseNow(db));
    for (const { attempt, error } of swept.unjudged) unjudged(attempt, error);
    undialed(reports);
    wake(gatewayIds);
    unswept(swept.unmoved, 'calls in the queue cannot be moved to the next opening of their window; trying again');
    unswept(swept.unsettled, 'calls in the queue cannot be ended; trying again');
  }

  function unswept(found: SweptQueue['unsettled'], words: string): void {
    const [first] = found;
    if (first === undefined) return;
    logger.error({ err: first.error, ...idsOfSeveral(found.map(({ attempt }) => attempt)) }, words);
    metrics.failures.inc({ step: 'sweep the queue' });
  }

  const every = (everyMs: number, does: string, run: Loop['run'], rung = createWakeSignal()): Loop => ({
    does,
    everyMs,
    run,
    wake: rung,
  });
  const beatMs = (leaseSeconds * 1000) / 5;
  const loops: readonly Loop[] = [
    every(beatMs, 'renew its lease', () => watch('lease', beat)),
    every(beatMs, 'give back the claims of dead dialers', async () => {
      if (tenure.lease.holds()) wake(await legs.giveBackClaims());
    }),
    every(beatMs, 'take over the calls of dead dialers', async () => {
      if (tenure.lease.holds()) await legs.recover();
    }),
    every(sweepEveryMs, 'hang up calls', () => legs.hangUp(), hangUpWake),
    every(
      sweepEveryMs,
      'transfer calls',
      async () => {
        for (const kind of allTransfers) await kind.take();
        for (const kind of allTransfers) await kind.sweep();
      },
      transferWake,
    ),
    every(preDialEveryMs, 'ask about recipients before they are dialed', () => preDial.ask(), preDialWake),
    // Each on its own: a failure of one does not block the others.
    every(sweepEveryMs, 'sweep the queue', sweep),
    every(sweepEveryMs, 'report ends that were not reported', () => reporter.sweep()),
    every(sweepEveryMs, 'wake gateways that sleep too long', async () => {
      if ((await wakeSleepers(db)) > 0) claimWake.ring();
    }),
    every(forgottenEveryMs, 'look for claims that it has lost', () => tenure.pipeline.releaseForgotten()),
    every(forgottenEveryMs, 'look for calls that it has lost', () => legs.recoverForgotten()),
    ...upkeepOf(db, logger, metrics).map(({ everyMs, does, run }) => every(everyMs, does, run)),
    ...(agentRegions.length === 0
      ? []
      : [
          every(
            slotsEveryMs,
            'count agent slots',
            createAgentSlotCount({ db, regions: agentRegions, logger, metrics }),
          ),
        ]),
  ];

  const stopClaiming = startClaiming({
    db,
    tenure: () => tenure,
    agentRegions,
    wake: claimWake,
    watch,
    health,
    logger,
    metrics,
  });
  const stopLoops = runLoops(loops, logger, (does) => metrics.failures.inc({ step: does }));
  const stopListening = listen(
    pool,
    {
      [dialChannel]: () => claimWake.ring(),
      [hangUpChannel]: () => hangUpWake.ring(),
      [transferChannel]: () => transferWake.ring(),
      [preDialChannel]: () => preDialWake.ring(),
    },
    logger,
  );

  return {
    get processId() {
      return processId();
    },
    // A dialer that stops no longer claims, which is not a failure.
    trouble: () => (stopping ? null : health.trouble()),
    async close() {
      stopping = true;
      await stopClaiming();
      await preDial.close();
      await tenure.pipeline.close();
      await unsent.close();
      const untilMs = performance.now() + stopLimitMs;
      while (legs.unanswered > 0 && performance.now() < untilMs) await claimWake.wait(100);
      legs.abandon();
      for (const kind of allTransfers) kind.abandon();
      await progress.close();
      await reporter.close();
      await callTracing?.close();
      await stopLoops();
      await tenure.lease.end();
      await stopListening();
    },
  };
}
