import type { FastifyInstance } from 'fastify';
import { databaseProblems } from '../db/requirements.js';
import { schemaIsCurrent } from '../db/migrate.js';
import { stateOf, versionsInUse, versionTroubles, type WorkersNow } from '../domain/workflow/worker-versions.js';
import { type AppDeps, workersOf } from './operation.js';

/** A check that hangs has failed: probes have their own timeout. */
const checkTimeoutMs = 3_000;

async function passes(check: () => Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), checkTimeoutMs);
  });
  try {
    // The reason of a failure is in the log of what failed; here only whether it did.
    return await Promise.race([check().catch(() => false), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * `/healthz`: this process answers. `/readyz`: what it needs answers too, and which versions of the workers there are, which do not
 * decide whether it is ready. Neither asks for a token.
 */
export function answerHealth(app: FastifyInstance, deps: AppDeps): void {
  const { database, temporal } = deps;
  app.get('/healthz', { logLevel: 'warn' }, async () => ({ status: 'ok' }));

  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    const problems: string[] = [];
    const [postgres, migrations, reachesTemporal] = await Promise.all([
      passes(async () => {
        problems.push(...(await databaseProblems(database.pool)));
        return problems.length === 0;
      }),
      passes(() => schemaIsCurrent(database.pool)),
      passes(() => temporal.isReachable()),
    ]);
    const ready = postgres && migrations && reachesTemporal;
    if (!ready) reply.code(503).header('retry-after', '2');
    return {
      status: ready ? 'ready' : 'not ready',
      checks: { postgres, migrations, temporal: reachesTemporal },
      ...(problems.length === 0 ? {} : { problems }),
      ...workerFacts(workersOf(deps)),
    };
  });
}

/** The versions of the workers; omitted if they have none. `warnings` say what has to be done. */
function workerFacts(workers: WorkersNow): object {
  const versions = versionsInUse(workers).map((version) => {
    const { buildId, rampPercent, hasWorker, pinned } = version;
    return { buildId, state: stateOf(version), ...(rampPercent === null ? {} : { rampPercent }), hasWorker, pinned };
  });
  const warnings = versionTroubles(workers.versions);
  return {
    ...(versions.length === 0 ? {} : { workerVersions: versions }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}
