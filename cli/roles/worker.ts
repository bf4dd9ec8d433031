import { setFlagsFromString } from 'node:v8';
import { modelProviders } from '../../domain/agent/model-catalog.js';
import { customKinds, customUrls } from '../../domain/agent/model-endpoints.js';
import type { Database } from '../../db/client.js';
import { databaseIdentity } from '../../db/queries/upkeep/database-identity.js';
import { regionService } from '../../db/queries/dialer/agent-slots.js';
import type { Env } from '../../platform/env.js';
import { liveKitSettings } from '../../platform/livekit.js';
import { createGuardedFetch } from '../../platform/outbound-url.js';
import { startWorker } from '../../worker/start-worker.js';
import { logTemporalThrough } from '../../worker/temporal-logger.js';
import { observeBacklog } from './backlog-metrics.js';
import { recordingStore } from './recording-store.js';
import { closeOnSignal } from './role.js';
import { serviceKey } from './service-key.js';
import { openRuntime } from './runtime.js';
import { openTemporal, sentencesOf, temporalSettings } from './temporal.js';
import { observeWorkerVersions } from './version-metrics.js';

/**
 * How much the old generation of the heap may grow between two collections. V8 lets it grow up to fourfold, which holds some
 * 50 MiB of refuse while the largest file's calls are stored.
 */
const heapGrowingPercent = 50;

/** Many times what copying the recipients of the largest batch takes on a machine that is ten times busier; else it would be begun again for ever. */
const statementTimeoutMs = 600_000;

/** Time for work under way to finish; Temporal gives the rest to other workers. */
const graceMs = 30_000;

/** `outdial worker`: workflows and activities. */
export async function runWorker(): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
  const runtime = await openRuntime('worker', statementTimeoutMs);
  const { env, logger, database, secretBox, tracing } = runtime;
  logTemporalThrough(logger);
  observeBacklog(runtime.metrics, database.db);
  const temporal = openTemporal(env);
  observeWorkerVersions(runtime.metrics, temporal.workerVersions);
  const guardedFetch = createGuardedFetch({
    allowPrivate: env.OUTDIAL_ALLOW_PRIVATE_WEBHOOKS,
    allowInsecure: env.OUTDIAL_ALLOW_INSECURE_WEBHOOKS,
  });
  const worker = await startWorker({
    database,
    logger,
    tracing,
    metrics: runtime.metrics,
    secretBox,
    temporal: temporalSettings(env),
    buildId: env.OUTDIAL_WORKER_BUILD_ID,
    poolSize: env.OUTDIAL_DATABASE_POOL,
    fetchOutside: guardedFetch,
    deploy: deploySettings(env, database),
    campaignQuotas: {
      mostOpenBatches: env.OUTDIAL_MAX_OPEN_BATCHES,
      mostStoredBytes: env.OUTDIAL_MAX_STORED_MB * 1024 * 1024,
    },
    inbound: inboundDoor(env, database),
    languageModels: { serviceKey, customUrls: customUrls(env) },
    callsPerWorkflow: env.OUTDIAL_CALLS_PER_WORKFLOW,
    retentionDays: env.OUTDIAL_RETENTION_DAYS,
    recordingRetentionDays: env.OUTDIAL_RECORDING_RETENTION_DAYS,
    historyDays: env.OUTDIAL_HISTORY_DAYS,
    recordings: recordingStore(env),
  }).catch(async (error: unknown) => {
    // An error of Temporal's native core tells an operator nothing.
    const trouble = await temporal.whyNot();
    throw trouble === null ? error : new Error(sentencesOf(trouble), { cause: error });
  });
  const closeMetrics = await runtime.announce({ taskQueue: env.OUTDIAL_TASK_QUEUE });
  let stopping = false;
  closeOnSignal(logger, graceMs, {
    database: () => database.close(),
    tracing: () => tracing.close(),
    guardedFetch: () => guardedFetch.close(),
    temporal: () => temporal.close(),
    metrics: closeMetrics,
    worker: () => {
      stopping = true;
      return worker.stop();
    },
  });
  // A worker that cannot go on must not stay as an idle process: this rejection is not caught, so that the process ends with 1.
  void worker.done.then(undefined, (error: unknown) => {
    if (!stopping) throw error; // else `stop` rejects as well: it is logged, and the other parts are closed
  });
}

/** With simulated calls there are no inbound ones, and LiveKit's client is not loaded. */
function inboundDoor(env: Env, { db }: Database): Parameters<typeof startWorker>[0]['inbound'] {
  const regions = env.OUTDIAL_PROVIDER === 'livekit' ? liveKitSettings(env) : [];
  if (regions.length === 0) return undefined;
  return {
    mirror: async (lines, asTheyAre) => {
      const { mirrorInboundLines } = await import('../../telephony/livekit/inbound-mirror.js');
      const { foreignLiveKit, ownerOf } = await import('../../telephony/livekit/owner.js');
      const databaseId = await databaseIdentity(db);
      return mirrorInboundLines(lines, regions, asTheyAre, async (region) => {
        const owner = await ownerOf(region);
        // Its numbers would be deleted there.
        if (owner !== null && owner !== databaseId) throw new Error(foreignLiveKit(region, owner));
      });
    },
  };
}

function deploySettings(env: Env, { db }: Database): Parameters<typeof startWorker>[0]['deploy'] {
  const withKey = modelProviders.filter(
    ({ keyVariable }) => keyVariable !== null && (process.env[keyVariable] ?? '') !== '',
  );
  return {
    simulated: env.OUTDIAL_PROVIDER === 'simulator',
    asksModels: !env.OUTDIAL_SKIP_MODEL_CHECK,
    defaultRegion: env.OUTDIAL_REGIONS[0] ?? 'default',
    modelDefaults: {
      stt: env.OUTDIAL_DEFAULT_STT,
      llm: env.OUTDIAL_DEFAULT_LLM,
      tts: env.OUTDIAL_DEFAULT_TTS,
      ttsVoice: env.OUTDIAL_DEFAULT_TTS_VOICE,
    },
    serviceKeys: new Set(withKey.map(({ id }) => id)),
    customKinds: customKinds(customUrls(env)),
    // Called only if calls are real: the simulator has its own agents.
    agentsOf: (region) => regionService(db, region),
  };
}
