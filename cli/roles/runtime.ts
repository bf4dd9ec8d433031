import { type Database, openDatabase } from '../../db/client.js';
import { databaseProblems } from '../../db/requirements.js';
import { refusalOfWebPage } from '../../domain/input/web-page-request.js';
import { type Env, readEnv, unknownVariables } from '../../platform/env.js';
import { createLogger, type Logger } from '../../platform/logger.js';
import { createMetrics, listenForMetrics } from '../../platform/metrics.js';
import { operatorLimitsOf } from '../../platform/operator-env.js';
import { createSecretBox, type SecretBox } from '../../platform/secret-box.js';
import { openTracing, type Tracing } from '../../platform/tracing.js';
import { isLoopback } from '../up/addresses.js';
import { followClocks } from './clocks.js';
import { observeHeldSnapshot } from './held-snapshot-metric.js';
import type { Closable } from './role.js';

/** The database, metrics and secrets of a role. */
export interface RoleRuntime {
  readonly env: Env;
  readonly logger: Logger;
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly metrics: ReturnType<typeof createMetrics>;
  readonly tracing: Tracing;
  /** Serves /metrics and /healthz: called when the role is ready, so that its answer means so. @param trouble see `listenForMetrics` */
  announce(fields: object, trouble?: () => string | null): Promise<Closable>;
}

/**
 * Opens what a role needs.
 *
 * @throws Error if the service cannot run on the database; each part waits by itself for one that is away
 */
export async function openRuntime(role: 'api' | 'worker' | 'dialer', statementTimeoutMs: number): Promise<RoleRuntime> {
  const env = readEnv();
  const logger = createLogger(role, env.OUTDIAL_LOG_LEVEL);
  for (const warning of unknownVariables()) logger.warn(warning);
  const secretBox = createSecretBox(env.OUTDIAL_ENCRYPTION_KEYS);
  const metrics = createMetrics(role);
  const database = openDatabase({
    url: env.OUTDIAL_DATABASE_URL,
    poolSize: env.OUTDIAL_DATABASE_POOL,
    name: role,
    operatorLimits: operatorLimitsOf(env),
    // Its hot statements are prepared (db/prepared-statements.ts).
    byIndex: role === 'dialer',
    statementTimeoutMs,
    onIdleError: (error) => logger.warn({ err: error.message }, 'an idle database connection broke'),
  });
  const problems = await databaseProblems(database.pool).catch((error: unknown) => {
    logger.warn({ err: error }, 'the version of the database cannot be read');
    return [];
  });
  if (problems.length > 0) throw new Error(problems.join(' '));
  await followClocks(env.OUTDIAL_DATABASE_URL, logger);
  observeHeldSnapshot(metrics, database.db);
  const tracing = await openTracing(env, { role, logger, metrics });
  return {
    env,
    logger,
    secretBox,
    metrics,
    tracing,
    database,
    announce: async (fields, trouble) => {
      const server = await listenForMetrics(metrics, {
        host: env.OUTDIAL_METRICS_HOST,
        port: env.OUTDIAL_METRICS_PORT,
        ...(trouble === undefined ? {} : { trouble }),
        ...(isLoopback(env.OUTDIAL_METRICS_HOST) ? { refusalOf: refusalOfWebPage } : {}),
      });
      logger.info({ ...fields, metricsPort: server.port }, `${role} ready`);
      return () => server.close();
    },
  };
}
