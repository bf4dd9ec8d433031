import type { FastifyInstance } from 'fastify';
import { databaseProblems } from '../db/requirements.js';
import { schemaIsCurrent } from '../db/migrate.js';
import type { AppDeps } from './operation.js';

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

/** `/healthz`: this process answers. `/readyz`: what it needs answers too. Neither asks for a token. */
export function answerHealth(app: FastifyInstance, { database, temporal }: AppDeps): void {
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
    };
  });
}
