import { availableParallelism, hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AgentServer, initializeLogger, type JobRequest, ServerOptions, WorkerPermissions } from '@livekit/agents';
import type { Registry } from 'prom-client';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../../db/client.js';
import type { Env } from '../../platform/env.js';
import type { Logger } from '../../platform/logger.js';
import { agentName, callAttribute, readAgentJob } from '../../domain/agent/job.js';
import { callForAgent } from '../../db/queries/calls/conversation.js';
import type { AgentWorkerState } from '../../db/queries/agents/workers.js';
import { nextPhase, offeredSlots } from './offer.js';
import { takePulse } from './pulse.js';
import { createStartGate, holdMs } from './start-gate.js';
import { nextStrain, noStrain, slotsFor } from './strain.js';
import { announcePresence } from './presence.js';
import { watchLiveKit } from './own-livekit.js';
import { ownRegion } from './region.js';
import { hearReports } from '../conversation/reports.js';
import { createWorkerMetrics } from './metrics.js';

export interface AgentWorker {
  /** Rejects when the worker cannot go on. */
  readonly done: Promise<void>;
  /** Takes no more calls, waits for those that go on, and ends. */
  drain(): Promise<void>;
  /** Says that the worker is gone, for one that cannot go on. */
  withdraw(): Promise<void>;
}

const lookEveryMs = 250;
/** How long idle processes have to end after they were told to; they also end by themselves. */
const closeMs = 5_000;
const warmUpMs = 60_000;
/** After this time an accepted job that has not begun never will: LiveKit gave it to another worker. */
const beginsMs = 30_000;
const sessionEndMs = 20_000;

/**
 * The load that a worker reports to LiveKit, from 0 to 1. It sends nothing to a worker over 0.7 (its `agents.target_load`) and
 * hears of the load every few seconds only, so a slot that has just become free would get no job, and its callee silence.
 * All slots taken are therefore half the load: whether one is free is for the dialer to decide, from the slots on offer.
 *
 * @param busy jobs that go on or are accepted
 */
export const reportedLoad = (busy: number, slots: number): number => Math.min(1, busy / (2 * slots));

/**
 * Registers with the region's LiveKit and offers slots in Postgres: one for each conversation and each process that stands
 * ready for one, since a callee who has to wait for a process hears silence for seconds, and no more than the machine keeps
 * up with (strain.ts). None while it drains, or if its LiveKit is not the dialers' (own-livekit.ts).
 */
export function startAgentWorker(options: {
  readonly env: Env;
  readonly db: Db;
  readonly logger: Logger;
  readonly metrics: Registry;
}): AgentWorker {
  const { env, db, logger } = options;
  const setting = ownRegion(env);
  const { name: region, url, apiKey, apiSecret } = setting;
  const { OUTDIAL_AGENT_SLOTS: slots = slotsFor(availableParallelism()), OUTDIAL_AGENT_WARM: warm } = env;
  const drainMs = env.OUTDIAL_AGENT_DRAIN_SECONDS * 1_000;
  const id = `${hostname()}/${process.pid}/${uuidv7()}`;
  const used = (): number => server.activeJobs.length;
  const presence = announcePresence(db, { id, region, mostSlots: slots, used }, logger);
  const metrics = createWorkerMetrics(options.metrics, {
    slots: () => presence.slots,
    used,
    warm: () => reports.warm,
    limit: () => strain.limit,
  });
  let strain = noStrain(slots);
  const gate = createStartGate();
  const pulse = takePulse((taken) => {
    const before = strain.limit;
    if (env.OUTDIAL_AGENT_IGNORE_LOAD) return;
    strain = nextStrain(strain, taken, reports.talking + promised.size, slots);
    if (strain.limit === before) return;
    if (strain.limit < before)
      logger.warn({ limit: strain.limit, slots, ...taken }, 'the machine is late: fewer slots');
    offer();
  });
  let phase: AgentWorkerState = 'warming';
  const offer = (): void => {
    phase = nextPhase(phase, isRegistered, reports.warm);
    const processes = { talking: reports.talking, warm: reports.warm, promised: promised.size };
    void presence.offer(offeredSlots(phase, liveKit.isOurs ? strain.limit : 0, processes), phase);
  };
  /** Jobs that are accepted and not begun. */
  const promised = new Set<string>();
  let isRegistered = false;
  const reports = hearReports(
    (report) => {
      if (report.kind === 'busy') promised.delete(report.job);
      if (report.kind === 'busy') gate.hold(holdMs.begun);
      if (report.kind === 'answered') gate.hold(holdMs.answered);
      if (report.kind === 'greeting') {
        gate.hold(holdMs.greeting);
        pulse.greeted(report.ms);
      }
      if (report.kind === 'lag') pulse.lagged(report.ms);
      metrics.count(report);
    },
    offer,
    gate,
  );
  const liveKit = watchLiveKit({ region: setting, db, logger, changed: () => offer() });
  const stop = (): void => {
    liveKit.stop();
    pulse.stop();
    gate.stop();
    reports.stop();
  };

  /** A telephone that has stopped ringing needs no agent: its job would use up a process that took seconds to start. */
  async function isTooLate({ job, room }: JobRequest): Promise<boolean> {
    const what = readAgentJob(job.metadata);
    if (what?.kind !== 'call') return false;
    // If the database is away, the conversation itself checks.
    return callForAgent(db, what.callId, room?.name ?? '').then(
      (call) => call === null,
      () => false,
    );
  }

  async function accept(request: JobRequest): Promise<void> {
    if (await isTooLate(request)) return request.reject();
    const forget = (): void => {
      if (promised.delete(request.id)) offer();
    };
    promised.add(request.id);
    setTimeout(forget, beginsMs).unref();
    offer();
    try {
      // If several calls share a room, the attribute says whose agent it is (telephony/livekit/agent.ts).
      await request.accept('', `agent_${request.id}`, '', { [callAttribute]: request.job.metadata });
    } catch (error) {
      forget();
      throw error;
    }
  }

  // Below the level of warnings the library logs what is said in calls.
  initializeLogger({ pretty: false, level: env.OUTDIAL_LOG_LEVEL === 'trace' ? 'debug' : 'warn' });
  const server = new AgentServer(
    new ServerOptions({
      agent: fileURLToPath(new URL('../entry.js', import.meta.url)),
      agentName,
      requestFunc: accept,
      // Not the library's count of jobs: one that is closing behind its callee may take a minute.
      loadFunc: () => Promise.resolve(reportedLoad(reports.talking + promised.size, slots)),
      loadThreshold: 1,
      numIdleProcesses: Math.min(warm, slots),
      initializeProcessTimeout: warmUpMs,
      sessionEndTimeout: sessionEndMs,
      drainTimeout: drainMs,
      permissions: new WorkerPermissions(true, true, true, true, [], false),
      wsURL: url.replace(/^http/, 'ws'),
      apiKey,
      apiSecret,
      // Its own health page; ours is that of every role. `production` would make 8081 of the 0, which a second worker of the
      // same machine could not have; its other defaults are all named here.
      host: '127.0.0.1',
      port: 0,
      production: false,
      logLevel: 'warn',
      maxRetry: Number.MAX_SAFE_INTEGER,
    }),
  );
  server.event.on('worker_registered', () => {
    logger.info({ region, slots }, 'the worker registered with LiveKit');
    isRegistered = true;
    offer();
  });
  offer();
  const done = server.run();
  return {
    done,
    withdraw: () => {
      stop();
      return presence.withdraw();
    },
    async drain() {
      phase = 'draining';
      await presence.offer(0, phase);
      // From its first line on the server takes no more jobs. Its own wait gives up if a process is still starting.
      void server.drain(0).catch(() => undefined);
      const untilMs = Date.now() + drainMs;
      while (server.activeJobs.length > 0 && Date.now() < untilMs) await pause(lookEveryMs);
      if (server.activeJobs.length > 0) logger.warn('the worker ends while calls go on');
      await presence.withdraw();
      stop();
      await Promise.race([server.close(), pause(closeMs)]);
    },
  };
}
