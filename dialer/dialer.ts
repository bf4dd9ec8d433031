import { performance } from 'node:perf_hooks';
import { Registry } from 'prom-client';
import type { Database } from '../db/client.js';
import { databaseNow } from '../db/queries/clock.js';
import { slotsOfRegions } from '../db/queries/dialer/agent-slots.js';
import { claimAttempts, nextClaimInMs, type ClaimedAttempt } from '../db/queries/dialer/claim-attempts.js';
import { suspendGateway } from '../db/queries/dialer/gateway-health.js';
import { forgetDeadProcesses } from '../db/queries/dialer/lease.js';
import { settleUndialed, type UndialedAttempt } from '../db/queries/dialer/settle-undialed.js';
import { forgetOldAttempts } from '../db/queries/accounts/guardrails.js';
import { dialChannel, wakeGateways, wakeSleepers } from '../db/queries/dialer/wake-gateways.js';
import type { Logger } from '../platform/logger.js';
import type { CallProvider } from '../telephony/provider.js';
import { createAdmission } from './admit.js';
import { createHealth, type Watch } from './health.js';
import { createDialPipeline, type DialPipeline } from './dial-pipeline.js';
import { sweepQueue } from './queue-sweep.js';
import { createEligibilityCheck, type ZonesOfNumber } from './eligibility.js';
import { takeLease, type Lease } from './lease.js';
import { createLegs } from './legs.js';
import { listen } from './listen.js';
import { createDialerMetrics } from './metrics.js';
import { orderFor, type OpenSecret } from './order.js';
import { createProgress } from './progress.js';
import { createReporter, type TellWorkflow } from './reporter.js';
import { createTransfers } from './transfers.js';
import { createUnsent } from './unsent.js';
import { createWakeSignal, type WakeSignal } from './wake-signal.js';
import type { EndReason } from '../domain/call/end-reasons.js';

export interface DialerOptions {
  readonly database: Database;
  readonly provider: CallProvider;
  readonly openSecret: OpenSecret;
  /** Time zones of E.164 numbers, for calling hours and attempts per day. */
  readonly zonesOfNumber: ZonesOfNumber;
  readonly tell: TellWorkflow;
  readonly logger: Logger;
  readonly metrics?: Registry;
  /** Regions whose agents take calls, the one that `auto` means first; left out: agents are simulated, and always there. */
  readonly agentRegions?: readonly string[];
  /** Life of the lease under which this process holds attempts; it is renewed five times in it. */
  readonly leaseSeconds?: number;
}

/** What this process holds under one lease, and so under one id. */
interface Tenure {
  readonly lease: Lease;
  readonly pipeline: DialPipeline;
}

export interface Dialer {
  /** The id under which it holds attempts now; it takes another one when its lease has run out. */
  readonly processId: string;
  /** Why it does not do its work, in words for an operator; null if it does. */
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
const mostPerClaim = 200;
/** Claimed and not yet dialed; beyond this, claiming waits. */
const mostWaiting = 1_000;
const slowPollMs = 1_000;
const briefMs = 5;
const sweepEveryMs = 2_000;
const forgottenEveryMs = 10_000;
const slotsEveryMs = 5_000;
const stopLimitMs = 80_000;

/**
 * Starts a dialer: the only code that starts a call. Any number of them may run; what they share is in Postgres.
 *
 * Loop: claim → prepare → pace → gate → dial → commit the outcome → tell the workflow. See docs/architecture.md for the
 * phases of an attempt and who moves it between them.
 */
export async function startDialer(options: DialerOptions): Promise<Dialer> {
  const { database, provider, logger, agentRegions = [] } = options;
  const { db, pool } = database;
  const leaseSeconds = options.leaseSeconds ?? defaultLeaseSeconds;
  const metrics = createDialerMetrics(options.metrics ?? new Registry());
  const health = createHealth();
  const watch: Watch = async (step, work) => {
    try {
      const answer = await work();
      health.succeeded(step);
      return answer;
    } catch (error) {
      health.failed(step, error);
      metrics.failures.inc({ step });
      throw error;
    }
  };
  const claimWake = createWakeSignal();
  const hangUpWake = createWakeSignal();
  const transferWake = createWakeSignal();
  const life = { claiming: true, running: true };
  const wakes: WakeSignal[] = [claimWake];

  const reporter = createReporter({ db, tell: options.tell, logger });
  const warn = (what: string) => (error: unknown) => logger.warn({ err: error }, what);

  function wake(gatewayIds: readonly string[]): void {
    wakeGateways(db, gatewayIds)
      .then(() => claimWake.ring())
      .catch(warn('gateways could not be woken; the slow poll finds them'));
  }

  const progress = createProgress({
    db,
    watch,
    simulated: provider.simulated,
    logger,
    metrics,
    onCommitted(reports, gatewayIds) {
      reporter.add(reports);
      wake(gatewayIds);
    },
  });
  const settle = async (keys: readonly UndialedAttempt[], reason: EndReason) =>
    reporter.add(await settleUndialed(db, keys, reason));
  const admit = createAdmission({ db, settle, logger, judge: createEligibilityCheck(db, options.zonesOfNumber) });
  const unsent = createUnsent({
    ...{ db, logger },
    neverSent: ({ attempt, order }) => legs.neverSent(attempt, order),
  });

  /** No INVITE can be made of what is stored of the gateway: all its calls wait, and the account can read why. */
  async function unorderable(
    { call_id: callId, gateway_id: gatewayId }: ClaimedAttempt,
    error: unknown,
  ): Promise<void> {
    logger.error(
      { err: error, callId, gatewayId },
      'no INVITE can be made by the settings of a gateway; it is suspended',
    );
    await suspendGateway(db, gatewayId, 'The credentials of the gateway cannot be read. Set its password again.');
  }

  async function begin(): Promise<Tenure> {
    const lease = await takeLease(db, leaseSeconds);
    const pipeline = createDialPipeline({
      ...{ db, lease, provider, logger, metrics, settle, admit, watch },
      orderFor: (attempt) => orderFor(attempt, options.openSecret),
      dial: (attempt, order) => legs.dial(attempt, order),
      unsendable: (attempt, order) => legs.neverSent(attempt, order),
      unanswered: (pipeline) => unsent.add(pipeline),
      unorderable,
    });
    return { lease, pipeline };
  }

  let tenure: Tenure = await begin();
  const processId = () => tenure.lease.processId;
  const legs = createLegs({ db, processId, provider, progress, logger, metrics });
  const transfers = createTransfers({ db, processId, provider, logger });

  /**
   * Renews the lease. If it has run out, this process was stopped or cut off from the database, and others may have taken
   * what it held: it forgets what it has not dialed, and goes on under another id with the legs that are still its own.
   */
  async function beat(): Promise<void> {
    if (await tenure.lease.renew()) return;
    tenure.pipeline.drop();
    const next = await begin();
    await legs.adopt(next.lease.processId);
    logger.warn({ was: processId(), now: next.lease.processId }, 'the lease had run out; going on under a new id');
    metrics.leasesLost.inc();
    tenure = next;
    claimWake.ring();
  }

  /** Repeats `work` until the dialer has stopped, early when rung; an error is said and costs one round. */
  async function loop(
    what: string,
    everyMs: number,
    work: () => Promise<unknown>,
    rung = createWakeSignal(),
  ): Promise<void> {
    wakes.push(rung);
    while (life.running) {
      await work().catch(warn(what));
      await rung.wait(everyMs);
    }
  }

  async function recover(): Promise<void> {
    if (tenure.lease.holds()) wake(await legs.recover());
  }

  async function claim(): Promise<void> {
    const { lease, pipeline } = tenure;
    if (!lease.holds()) return claimWake.wait(slowPollMs);
    if (pipeline.waiting >= mostWaiting) {
      health.succeeded('claim');
      return claimWake.wait(briefMs);
    }
    const startedMs = performance.now();
    const claimed = await watch('claim', () => claimAttempts(db, lease.processId, mostPerClaim, agentRegions));
    if (claimed.length > 0) {
      metrics.claimSeconds.observe((performance.now() - startedMs) / 1000);
      pipeline.accept(claimed);
      return;
    }
    const nextMs = await nextClaimInMs(db);
    await claimWake.wait(Math.min(slowPollMs, Math.max(briefMs, nextMs ?? slowPollMs)));
  }

  async function sweep(): Promise<void> {
    const { reports, gatewayIds } = await sweepQueue(db, await databaseNow(db));
    reporter.add(reports);
    wake(gatewayIds);
    await reporter.sweep();
    if ((await wakeSleepers(db)) > 0) claimWake.ring();
  }

  /** Regions without an agent, so that the log says once that one has none, and once that it has. */
  const unserved = new Set<string>();

  async function countSlots(): Promise<void> {
    for (const { region, slots, taken } of await slotsOfRegions(db, agentRegions)) {
      if (slots === 0 && !unserved.has(region)) {
        unserved.add(region);
        logger.warn({ region }, 'no agent worker of the region offers a slot: its calls wait');
      } else if (slots > 0 && unserved.delete(region)) {
        logger.info({ region, slots }, 'agent workers of the region offer slots: its calls go on');
      }
      metrics.agentSlots.set({ region }, slots);
      metrics.agentSlotsTaken.set({ region }, taken);
    }
  }

  async function claimOn(): Promise<void> {
    while (life.claiming) {
      await claim().catch((error: unknown) => {
        warn('nothing could be claimed; trying again')(error);
        return claimWake.wait(slowPollMs);
      });
    }
  }

  const beatMs = (leaseSeconds * 1000) / 5;
  const claiming = claimOn();
  const loops = [
    loop('the lease could not be renewed', beatMs, () => watch('lease', beat)),
    loop('what dead dialers left could not be looked for', beatMs, recover),
    loop('calls could not be hung up', sweepEveryMs, () => legs.hangUp(), hangUpWake),
    loop(
      'calls could not be transferred',
      sweepEveryMs,
      async () => {
        await transfers.take();
        await transfers.sweep();
      },
      transferWake,
    ),
    loop('what is due could not be swept', sweepEveryMs, sweep),
    loop('forgotten attempts could not be looked for', forgottenEveryMs, async () => {
      await tenure.pipeline.releaseForgotten();
      await legs.recoverForgotten();
    }),
    loop('what is long over could not be forgotten', 600_000, async () => {
      await forgetDeadProcesses(db);
      await forgetOldAttempts(db);
    }),
  ];
  if (agentRegions.length > 0) loops.push(loop('agent slots could not be counted', slotsEveryMs, countSlots));
  const stopListening = listen(
    pool,
    {
      [dialChannel]: () => claimWake.ring(),
      [hangUpChannel]: () => hangUpWake.ring(),
      [transferChannel]: () => transferWake.ring(),
    },
    logger,
  );

  return {
    get processId() {
      return processId();
    },
    // One that stops claims nothing any more, and that is no trouble.
    trouble: () => (life.claiming ? health.trouble() : null),
    async close() {
      life.claiming = false;
      claimWake.ring();
      await claiming;
      await tenure.pipeline.close();
      await unsent.close();
      const untilMs = performance.now() + stopLimitMs;
      while (legs.unanswered > 0 && performance.now() < untilMs) await claimWake.wait(100);
      legs.abandon();
      transfers.abandon();
      await progress.close();
      await reporter.close();
      life.running = false;
      for (const wake of wakes) wake.ring();
      await Promise.all(loops);
      await tenure.lease.end();
      await stopListening();
    },
  };
}
