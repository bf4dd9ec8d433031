import { fileURLToPath } from 'node:url';
import { buildApp } from '../../api/app.js';
import { createOutboxSender } from '../../worker/outbox-sender.js';
import { recordingStore } from './recording-store.js';
import { closeOnSignal } from './role.js';
import { serviceKey } from './service-key.js';
import { openRuntime } from './runtime.js';
import { openTelephony } from './telephony.js';
import { openTemporal } from './temporal.js';
import { watchVersions } from './watch-versions.js';

/** A request is answered or refused by then; what takes longer belongs to a workflow. */
const statementTimeoutMs = 30_000;
const graceMs = 15_000;

/** `outdial api`: the HTTP API. */
export async function runApi(): Promise<void> {
  const runtime = await openRuntime('api', statementTimeoutMs);
  const { env, logger, database, secretBox, tracing } = runtime;
  const temporal = openTemporal(env);
  const versions = watchVersions(temporal.workerVersions);
  const telephony = openTelephony(env, { database, logger });
  const outbox = createOutboxSender(temporal.workflows, database.db, logger);
  const app = await buildApp({
    database,
    secretBox,
    env,
    logger,
    tracing,
    temporal: {
      kick: () => outbox.kick(),
      isReachable: () => temporal.isReachable(),
      workers: () => versions.now(),
    },
    telephony,
    serviceKey,
    recordingObjects: recordingStore(env).store,
    pagesFolder: fileURLToPath(new URL('../../console', import.meta.url)),
    clock: () => new Date(),
  });
  const url = await app.listen({ host: env.OUTDIAL_HOST, port: env.OUTDIAL_PORT });
  const closeMetrics = await runtime.announce({ url });
  closeOnSignal(logger, graceMs, {
    database: () => database.close(),
    tracing: () => tracing.close(),
    temporal: () => temporal.close(),
    versions: async () => versions.close(),
    telephony: () => telephony.close(),
    outbox: () => outbox.settle(),
    metrics: closeMetrics,
    server: () => app.close(),
  });
}
