import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openDatabase } from '../../db/client.js';
import { migrate } from '../../db/migrate.js';
import { lockData } from '../../embedded/data-lock.js';
import { requireDiskSpace } from '../../embedded/disk-space.js';
import { isPortFree } from '../../embedded/free-port.js';
import { rotateLogs } from '../../embedded/log-files.js';
import { embeddedPostgresUrl, embeddedServiceUrl } from '../../embedded/postgres.js';
import { endLeftovers, openProcessList } from '../../embedded/process-list.js';
import { createSupervisor, type Supervisor } from '../../embedded/supervisor.js';
import { findTemporal } from '../../embedded/temporal.js';
import { writeWhole } from '../../embedded/whole-file.js';
import { serveTemporalUi, type TemporalUi } from '../../embedded/temporal-ui.js';
import { createSecretBox } from '../../platform/secret-box.js';
import { localAccounts, localToken } from './access.js';
import { agentSlotsWhenReady } from './agent-ready.js';
import { type Addresses, chooseAddresses } from './addresses.js';
import { encryptionKeys, isGiven } from './encryption-key.js';
import { postgresPart, temporalPart } from './parts.js';
import { keepPrivate } from './private-folder.js';
import { claimFolder, type LocalProvider } from './provider.js';
import { pidsOf, type Ready, readyPath } from './ready.js';
import { roleParts } from './roles.js';
import { listService } from './running-services.js';

export interface ServiceOptions {
  /** Absolute or relative to the working folder; made if missing. */
  readonly folder: string;
  /** Address the API listens on. */
  readonly host: string;
  /** Port of the API; omitted: a free one. */
  readonly port?: number;
  /** What carries the calls. */
  readonly provider: LocalProvider;
  /** How many times faster than real time the simulated carrier runs. */
  readonly speed: number;
  /** How long conversations may go on while it stops, in seconds. */
  readonly drainSeconds: number;
  /** A second place for ready.json. */
  readonly readyFile?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes one line for a person per thing that happens. */
  readonly say: (line: string) => void;
}

export interface Service {
  readonly ready: Ready;
  /** Ends every part in good order. The data stays. */
  stop(): Promise<void>;
}

/** 16 MiB and three earlier ones of each part: what a service logs in hours under load, in weeks at rest. */
const logLimits = { mostBytes: 16 * 1024 * 1024, kept: 3 };
const rotationEveryMs = 60_000;

/**
 * The order in which parts stop: each before those that it depends on. With real calls nothing more is dialed, then
 * conversations come to their end while everything that they need runs.
 */
const stopOrders = {
  simulator: [['api'], ['dialer', 'worker'], ['carrier'], ['temporal'], ['postgres']],
  livekit: [['dialer'], ['agent'], ['api'], ['worker'], ['temporal'], ['postgres']],
} as const;

/**
 * Runs the whole service on this machine with embedded parts and keeps it running. Goes on with what the folder holds,
 * also after everything was killed.
 * @throws DataInUse if another process works on the folder; Error with a message for the user if a part does not start
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const folder = resolve(options.folder);
  requireDiskSpace(folder);
  const lock = lockData(folder);
  const readyFiles = [readyPath(folder), ...(options.readyFile === undefined ? [] : [resolve(options.readyFile)])];
  const logs: { rotation?: NodeJS.Timeout } = {};
  const strikeOff = listService(folder);
  const forgetReady = () => {
    for (const path of readyFiles) rmSync(path, { force: true });
  };
  const release = () => {
    clearInterval(logs.rotation);
    strikeOff();
    lock.release();
  };
  const state: { ready?: Ready; ui?: TemporalUi } = {};
  const processes = join(folder, 'processes.json');
  forgetReady();
  try {
    claimFolder(folder, options.provider);
    keepPrivate(folder);
    await endLeftovers(processes);
    const at = await chooseAddresses(folder, options.host, options.port);
    if (!(await isPortFree(at.apiPort, at.host))) {
      throw new Error(`Port ${at.apiPort} of ${at.host} is taken. Name another one with --port.`);
    }
    const list = openProcessList(processes);
    const announce = () => {
      if (state.ready === undefined) return;
      // Another part may be down at this moment: its last process stands there until it is back.
      state.ready = { ...state.ready, pids: pidsOf(list.latestPids()) };
      for (const path of readyFiles) writeWhole(path, `${JSON.stringify(state.ready, null, 2)}\n`);
    };
    const supervisor = createSupervisor({ list, say: options.say, onRestart: announce });
    const rotate = () => {
      try {
        rotateLogs(at.logFolder, logLimits);
      } catch (error) {
        options.say(`The logs cannot be rotated: ${error instanceof Error ? error.message : String(error)}`);
      }
    };
    rotate();
    logs.rotation = setInterval(rotate, rotationEveryMs).unref();
    try {
      if (at.temporalUi !== undefined) state.ui = await serveTemporalUi(at.temporalUi.port, at.temporalUi.behind);
      const started = await startParts(supervisor, folder, at, options);
      const ready = { ...started, pids: pidsOf(list.latestPids()) };
      state.ready = ready;
      announce();
      return {
        ready,
        stop: async () => {
          forgetReady();
          await state.ui?.close();
          await supervisor.stop(stopOrders[options.provider]);
          release();
        },
      };
    } catch (error) {
      await state.ui?.close();
      await supervisor.stop(stopOrders[options.provider]);
      throw error;
    }
  } catch (error) {
    release();
    throw error;
  }
}

async function startParts(
  supervisor: Supervisor,
  folder: string,
  at: Addresses,
  { env, say, provider, speed, drainSeconds }: ServiceOptions,
): Promise<Omit<Ready, 'pids'>> {
  await supervisor.run(postgresPart(folder, at.logFolder, at.postgresPort));
  const ownerUrl = embeddedPostgresUrl(join(folder, 'postgres'), at.postgresPort);
  const databaseUrl = embeddedServiceUrl(join(folder, 'postgres'), at.postgresPort);
  const keys = encryptionKeys(folder, env.OUTDIAL_ENCRYPTION_KEYS);
  const token = await prepareDatabase({ ownerUrl, databaseUrl }, keys, folder);

  const temporal = await findTemporal({ binFolder: join(folder, 'bin'), env, say });
  if (temporal.kind === 'program') {
    const ports = { port: at.temporalPort, ui: at.temporalUi?.behind };
    await supervisor.run(temporalPart(folder, at.logFolder, { program: temporal.path, ...ports }));
  }
  const temporalAddress = temporal.kind === 'server' ? temporal.address : `127.0.0.1:${at.temporalPort}`;

  const calls = { provider, speed, drainSeconds, env };
  const roles = roleParts({ at, folder, databaseUrl, temporalAddress, encryptionKeys: keys, ...calls });
  for (const part of roles.first) await supervisor.run(part);
  const started = await Promise.allSettled(roles.others.map((part) => supervisor.run(part)));
  for (const each of started) if (each.status === 'rejected') throw each.reason;
  if (provider === 'livekit') await sayWhetherAgentIsReady(at, say);
  return {
    apiUrl: at.apiUrl,
    docsUrl: `${at.apiUrl}/docs`,
    token,
    temporalAddress,
    temporalUiUrl:
      temporal.kind === 'server' || at.temporalUi === undefined ? null : `http://127.0.0.1:${at.temporalUi.port}`,
    provider,
    carrierUrl: provider === 'simulator' ? at.carrierUrl : null,
    carrierLedger: provider === 'simulator' ? at.carrierLedger : null,
    postgresPort: at.postgresPort,
    encryptionKeys: isGiven(env.OUTDIAL_ENCRYPTION_KEYS) ? 'environment' : 'folder',
  };
}

async function sayWhetherAgentIsReady(at: Addresses, say: (line: string) => void): Promise<void> {
  say('The agent worker registers with LiveKit and loads its first processes.');
  const slots = await agentSlotsWhenReady(at.metricsPorts.agent);
  say(
    slots > 0
      ? `The agent worker is ready: it takes ${slots} ${slots === 1 ? 'call' : 'calls'} at once now, and more as processes load.`
      : `The agent worker is not ready after two minutes: calls wait until it is. Its log is ${join(at.logFolder, 'agent.log')}.`,
  );
}

/** Brings the schema up to date and makes, once, the account that the user of this machine works with. */
async function prepareDatabase(
  { ownerUrl, databaseUrl }: { readonly ownerUrl: string; readonly databaseUrl: string },
  keys: string,
  folder: string,
): Promise<string> {
  const database = openDatabase({ url: ownerUrl, poolSize: 1, name: 'up' });
  try {
    await migrate(database.pool, databaseUrl);
    return await localToken(database.db, createSecretBox(keys.split(',')), folder, localAccounts.user);
  } finally {
    await database.close();
  }
}
