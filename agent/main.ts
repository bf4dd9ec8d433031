import { setTimeout as pause } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import { openDatabase } from '../db/client.js';
import { requireUsableDatabase } from '../db/requirements.js';
import { readEnv, unknownVariables } from '../platform/env.js';
import { operatorLimitsOf } from '../platform/operator-env.js';
import { createLogger } from '../platform/logger.js';
import { createMetrics, listenForMetrics } from '../platform/metrics.js';
import { startAgentWorker } from './worker/worker.js';

/** The worker and its presence; conversations have their own connections. */
const connections = 2;
/** Slots that were not announced for 20 s do not count. */
const statementTimeoutMs = 10_000;
/** After the calls have ended, for what closes behind them. */
const marginMs = 30_000;

/** `outdial agent`: takes the calls of one region's LiveKit and talks. */
export async function runAgent(): Promise<void> {
  const env = readEnv();
  const logger = createLogger('agent', env.OUTDIAL_LOG_LEVEL);
  const graceMs = env.OUTDIAL_AGENT_DRAIN_SECONDS * 1_000 + marginMs;
  const database = openDatabase({
    url: env.OUTDIAL_DATABASE_URL,
    poolSize: connections,
    statementTimeoutMs,
    name: 'agent-worker',
    operatorLimits: operatorLimitsOf(env),
    onIdleError: (error) => logger.warn({ err: error.message }, 'an idle database connection broke'),
  });
  for (const warning of unknownVariables()) logger.warn(warning);
  await requireUsableDatabase(database.pool);
  const registry = createMetrics('agent');
  const worker = startAgentWorker({ env, db: database.db, logger, metrics: registry });
  const metrics = await listenForMetrics(registry, {
    host: env.OUTDIAL_METRICS_HOST,
    port: env.OUTDIAL_METRICS_PORT,
  });
  logger.info({ metricsPort: metrics.port }, 'agent ready');
  closeWithGrace({ delay: graceMs, logger: false, skip: ['beforeExit'] }, async ({ signal, err }) => {
    if (err === undefined) logger.info({ signal }, 'the worker drains: its calls go on, it takes no more');
    else logger.fatal({ err }, 'stopping after an uncaught error');
    const parts = [
      () => (err === undefined ? worker.drain() : worker.withdraw()),
      () => metrics.close(),
      () => database.close(),
    ];
    for (const close of parts) {
      // A part that hangs or fails must not keep the others open.
      await Promise.race([close(), pause(graceMs, undefined, { ref: false })]).catch((error: unknown) =>
        logger.error({ err: error }, 'a part of the process could not be closed'),
      );
    }
    logger.info('stopped');
  });
  // A worker that cannot go on must not stay as an idle process: this rejection is not caught, so that the process ends with 1.
  void worker.done.then(undefined, (error: unknown) => {
    throw error;
  });
}
