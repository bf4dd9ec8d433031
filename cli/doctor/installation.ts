import { join } from 'node:path';
import { openDatabase, type Database } from '../../db/client.js';
import { schemaIsCurrent } from '../../db/migrate.js';
import { slotsOfRegions } from '../../db/queries/dialer/agent-slots.js';
import { dialersNow } from '../../db/queries/dialer/lease.js';
import { clocksOfZones } from '../../db/queries/upkeep/clocks-of-zones.js';
import { type EndsTold, endsTold } from '../../db/queries/upkeep/ends-told.js';
import { unknownTimeZones } from '../../db/queries/upkeep/unknown-time-zones.js';
import { databaseProblems, missingExtension } from '../../db/requirements.js';
import type { DialersNow } from '../../domain/batch/standstill.js';
import { disputedZones, learnClocks } from '../../domain/call/time-zone.js';
import { embeddedPostgresUrl } from '../../embedded/postgres.js';
import { type Env, readEnv, unknownVariables } from '../../platform/env.js';
import { databasePlace, noDatabaseWords } from '../commands/database-words.js';
import { findPlace } from '../commands/place.js';
import { liveKitEnvironment } from '../up/livekit-environment.js';
import type { LocalProvider } from '../up/provider.js';
import { commandsWaitMs, openTemporal } from '../roles/temporal.js';
import { versionName, versionTroubles, type WorkerVersion } from '../../domain/workflow/worker-versions.js';
import { diskFinding, remedyOfDatabase } from './disk.js';
import { failed, type Finding, ok, skipped, warning, wordsOf } from './finding.js';
import { keyFinding, storedSecretsFinding } from './keys.js';
import { liveKitFindings, modelFindings } from './real-calls.js';

/** What an operator sees: the settings of this environment, and what they name. Each role checks the same when it starts. */
export async function installationFindings(data: string | undefined): Promise<Finding[]> {
  const settings = await settingsHere(data);
  const disk = settings.folder === undefined ? [] : [diskFinding(settings.folder)];
  if ('skip' in settings) return [skipped('settings', settings.skip), ...disk];
  const strangers = unknownVariables(settings.source).map((sentence) => warning('settings', sentence));
  let env: Env;
  try {
    env = readEnv(settings.source);
  } catch (error) {
    return [failed('settings', wordsOf(error), 'docs/configuration.md lists what each may be.'), ...strangers];
  }
  const isReal = settings.provider === undefined ? env.OUTDIAL_PROVIDER === 'livekit' : settings.provider === 'livekit';
  const parts = await Promise.all([
    databaseFindings(env, isReal, settings.provider !== undefined),
    temporalFindings(env),
    isReal ? realCallFindings(env, settings.provider !== undefined) : [],
  ]);
  return [
    ...(strangers.length > 0 ? strangers : [ok('settings', 'every setting can be used')]),
    ...(settings.provider === undefined ? [keyFinding(env)] : []),
    ...disk,
    ...parts.flat(),
  ];
}

/** An `up` was given LiveKit and keys where it was started, which need not be here. */
async function realCallFindings(env: Env, isOfUp: boolean): Promise<Finding[]> {
  const { OUTDIAL_LIVEKIT_URL: url = '' } = env;
  if (isOfUp && url === '') {
    return [
      skipped('LiveKit', 'its settings are those of `outdial up`: run this with the same LIVEKIT_URL to check them'),
    ];
  }
  return [...(await liveKitFindings(env)), ...modelFindings(env)];
}

type Source = Readonly<Record<string, string | undefined>>;

/** The settings of the roles: those of the environment, or those that an `up` of this machine gives its own. */
async function settingsHere(data: string | undefined): Promise<
  | {
      source: Source;
      /** Of an `up`, which has its own keys; else undefined. */
      provider?: LocalProvider;
      /** Data folder of an `up`. */
      folder?: string;
    }
  | { skip: string; folder?: string }
> {
  try {
    const place = await findPlace(data, process.env, (line) => console.error(`outdial: ${line}`));
    if (place.kind === 'running') {
      const url = embeddedPostgresUrl(join(place.folder, 'postgres'), place.ready.postgresPort);
      const own = { OUTDIAL_DATABASE_URL: url, TEMPORAL_ADDRESS: place.ready.temporalAddress };
      const { folder } = place;
      const { provider } = place.ready;
      return { source: { ...liveKitEnvironment(process.env), OUTDIAL_PROVIDER: provider, ...own }, provider, folder };
    }
    if (place.kind === 'stopped') {
      return { skip: `Nothing runs on ${place.folder}: start \`outdial up\`.`, folder: place.folder };
    }
  } catch (error) {
    return { skip: wordsOf(error) };
  }
  const { OUTDIAL_DATABASE_URL: url = '' } = process.env;
  if (url.trim() === '') {
    return {
      skip: 'OUTDIAL_DATABASE_URL is not set here and no `outdial up` runs: run this where the roles run, with their settings.',
    };
  }
  return { source: process.env };
}

const answersWithinMs = 5_000;

/** @param isOfUp it has keys of its own, which are not known here */
async function databaseFindings(env: Env, withAgents: boolean, isOfUp: boolean): Promise<Finding[]> {
  const where = databasePlace(env.OUTDIAL_DATABASE_URL);
  const database = openDatabase({
    ...{ url: env.OUTDIAL_DATABASE_URL, poolSize: 1, name: 'doctor', statementTimeoutMs: answersWithinMs },
  });
  try {
    const problems = await databaseProblems(database.pool);
    const isCurrent = await schemaIsCurrent(database.pool);
    return [
      ...problems.map((problem) => failed('PostgreSQL', problem)),
      ...(problems.length === 0 ? [ok('PostgreSQL', `${where} answers, is new enough, and its clock is right`)] : []),
      isCurrent ? ok('migrations', 'the schema is that of this version') : await oldSchemaFinding(database),
      ...(isCurrent && !isOfUp ? await storedSecretsFinding(env, database.db) : []),
      ...(isCurrent ? [timeZoneFinding(await unknownTimeZones(database.db), await zonesInDispute(database))] : []),
      ...(isCurrent ? [dialerFindings[await dialersNow(database.db)]] : []),
      ...(withAgents && isCurrent ? await agentWorkerFindings(env, database) : []),
      ...(withAgents && isCurrent ? webhookFindings(await endsTold(database.db)) : []),
    ];
  } catch (error) {
    // The words of the driver name no password.
    const words = noDatabaseWords(error) ?? wordsOf(error);
    return [failed('PostgreSQL', `${where}: ${words}`, remedyOfDatabase(words))];
  } finally {
    await database.close();
  }
}

async function oldSchemaFinding({ pool }: Database): Promise<Finding> {
  const words = 'The schema is not that of this version.';
  const remedy = 'Run `outdial migrate`, then start the roles again.';
  const lacks = await missingExtension(pool);
  return lacks === null
    ? failed('migrations', words, remedy)
    : failed('migrations', `${words} ${lacks.message}`, `${lacks.remedy} ${remedy}`);
}

async function zonesInDispute({ db }: Database): Promise<string[]> {
  const { zones, untilMs } = await clocksOfZones(db, new Date());
  learnClocks(zones, untilMs);
  return disputedZones();
}

/**
 * @param unknown names that PostgreSQL does not know
 * @param disputed zones whose clocks it has otherwise than Node.js, within the next year
 */
export function timeZoneFinding(unknown: readonly string[], disputed: readonly string[]): Finding {
  if (unknown.length > 0) {
    return warning(
      'time zones',
      `PostgreSQL does not know ${unknown.join(', ')}: numbers whose calls of a day are counted there make no calls, and figures have their hours in UTC.`,
      'Give the server of PostgreSQL the package tzdata-legacy, where Debian 13 and Ubuntu 24.04 have the older names, and restart it.',
    );
  }
  if (disputed.length > 0) {
    return warning(
      'time zones',
      `Node.js (${process.versions.tz ?? 'unknown'}) and PostgreSQL disagree about the clocks of ${disputed.join(', ')} within the next year: callees there are called only while the hours are open by both.`,
      'Bring both up to date: a newer Node.js has newer time zones, and so has a newer PostgreSQL, or the package tzdata of its server.',
    );
  }
  return ok('time zones', 'PostgreSQL knows those in use, and has their clocks as Node.js does');
}

const dialerFindings: Readonly<Record<DialersNow, Finding>> = {
  working: ok('dialers', 'one runs at least'),
  troubled: failed('dialers', 'A dialer is running but cannot do its work.', 'See its log and its `/healthz`.'),
  none: failed('dialers', 'No dialer runs: nobody is called.', 'Start `outdial dialer`, and see its log if it ends.'),
};

async function agentWorkerFindings(env: Env, { db }: Database): Promise<Finding[]> {
  const slots = await slotsOfRegions(db, env.OUTDIAL_REGIONS);
  return slots.map(({ region, slots: count, taken }) => {
    const check = `agent workers of ${region}`;
    return count > 0
      ? ok(check, `${count} slots, ${taken} of them taken or waited for`)
      : failed(
          check,
          'No agent worker takes calls: they wait in the queue.',
          'Start `outdial agent` with OUTDIAL_AGENT_REGION of this region.',
        );
  });
}

/** Fewer calls say nothing: the service may have noticed their ends first. */
const fewestEnds = 5;

/** @returns none if too few calls were ended by callees lately */
export function webhookFindings({ ended, told }: EndsTold): Finding[] {
  const check = 'webhooks of LiveKit';
  if (ended < fewestEnds) return [];
  if (told > 0) return [ok(check, `they told the ends of ${told} of the last ${ended} calls that callees ended`)];
  return [
    warning(
      check,
      `They told the end of none of the last ${ended} calls that callees ended: it was noticed up to 15 seconds late.`,
      'Set webhook.urls of LiveKit to <OUTDIAL_PUBLIC_URL>/livekit/webhook and webhook.api_key to its API key (LiveKit Cloud: Settings, ' +
        'Webhooks), and see that LiveKit can reach that address.',
    ),
  ];
}

async function temporalFindings(env: Env): Promise<Finding[]> {
  const temporal = openTemporal(env, commandsWaitMs);
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = env;
  try {
    const trouble = await temporal.whyNot();
    if (trouble !== null) return [failed('Temporal', trouble.message, trouble.remedy)];
    const { workerVersions } = temporal;
    const words = (error: unknown): string => wordsOf(temporal.inWords(error));
    return [
      ok('Temporal', `${address} answers and has the namespace ${namespace}`),
      workerFinding(await workerVersions.hasWorker().catch(words)),
      ...versionFindings(await workerVersions.list().catch(words)),
    ];
  } finally {
    await temporal.close();
  }
}

/** @param runs whether one does, or why that cannot be read */
function workerFinding(runs: boolean | string): Finding {
  const check = 'workers';
  if (typeof runs === 'string') return warning(check, `Whether workers run cannot be read: ${runs}`);
  return runs
    ? ok(check, 'one runs at least')
    : failed(
        check,
        'No worker has asked Temporal for work within a minute and a half: files, starts, retries and ends of batch calls wait.',
        'Start `outdial worker`, and see its log if it ends.',
      );
}

/** Nothing where workers have no versions, which is how they are unless the operator asks. @param versions or why they cannot be read */
export function versionFindings(versions: readonly WorkerVersion[] | string): Finding[] {
  const check = 'worker versions';
  if (typeof versions === 'string') return [warning(check, `The versions of the workers cannot be read: ${versions}`)];
  if (versions.length === 0) return [];
  const troubles = versionTroubles(versions).map((trouble) => failed(check, trouble));
  if (troubles.length > 0) return troubles;
  const current = versions.find(({ role }) => role === 'current');
  const over = versions
    .filter(({ mayEnd, hasWorker }) => mayEnd && hasWorker)
    .map(({ buildId }) => versionName(buildId));
  return [
    ok(
      check,
      `new batches begin on ${versionName(current?.buildId ?? null)}${over.length === 0 ? '' : `; to be ended: ${over.join(', ')}`}`,
    ),
  ];
}
