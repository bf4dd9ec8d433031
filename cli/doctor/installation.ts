import { join } from 'node:path';
import { openDatabase, type Database } from '../../db/client.js';
import { schemaIsCurrent } from '../../db/migrate.js';
import { slotsOfRegions } from '../../db/queries/dialer/agent-slots.js';
import { databaseProblems } from '../../db/requirements.js';
import { modelProvider } from '../../domain/agent/models.js';
import { embeddedPostgresUrl } from '../../embedded/postgres.js';
import { type Env, readEnv, unknownVariables } from '../../platform/env.js';
import { liveKitSettings } from '../../platform/livekit.js';
import { createSecretBox } from '../../platform/secret-box.js';
import { findPlace } from '../commands/place.js';
import { serviceKey } from '../roles/service-key.js';
import { openTemporal } from '../roles/temporal.js';
import { failed, type Finding, ok, skipped, warning, wordsOf } from './finding.js';

/** What an operator sees: the settings of this environment, and what they name. Each role checks the same when it starts. */
export async function installationFindings(data: string | undefined): Promise<Finding[]> {
  const settings = await settingsHere(data);
  if ('skip' in settings) return [skipped('settings', settings.skip)];
  const strangers = unknownVariables(settings.source).map((sentence) => warning('settings', sentence));
  let env: Env;
  try {
    env = readEnv(settings.source);
  } catch (error) {
    return [failed('settings', wordsOf(error), 'docs/configuration.md lists what each may be.'), ...strangers];
  }
  const isReal = env.OUTDIAL_PROVIDER === 'livekit' && !settings.ofUp;
  return [
    ...(strangers.length > 0 ? strangers : [ok('settings', 'every setting can be used')]),
    ...(settings.ofUp ? [] : [keyFinding(env)]),
    ...(await databaseFindings(env, isReal)),
    await temporalFinding(env),
    ...(isReal ? [...(await liveKitFindings(env)), ...modelFindings(env)] : []),
  ];
}

type Source = Readonly<Record<string, string | undefined>>;

/** The settings of the roles: those of the environment, or those that an `up` of this machine gives its own. */
async function settingsHere(
  data: string | undefined,
): Promise<{ source: Source; /** An `up` has its own keys, and calls nobody. */ ofUp: boolean } | { skip: string }> {
  try {
    const place = await findPlace(data, process.env, (line) => console.error(`outdial: ${line}`));
    if (place.kind === 'running') {
      const url = embeddedPostgresUrl(join(place.folder, 'postgres'), place.ready.postgresPort);
      const own = { OUTDIAL_DATABASE_URL: url, TEMPORAL_ADDRESS: place.ready.temporalAddress };
      return { source: { ...process.env, ...own }, ofUp: true };
    }
    if (place.kind === 'stopped') return { skip: `Nothing runs on ${place.folder}: start \`outdial up\`.` };
  } catch (error) {
    return { skip: wordsOf(error) };
  }
  const { OUTDIAL_DATABASE_URL: url = '' } = process.env;
  if (url.trim() === '') {
    return {
      skip: 'OUTDIAL_DATABASE_URL is not set here and no `outdial up` runs: run this where the roles run, with their settings.',
    };
  }
  return { source: process.env, ofUp: false };
}

function keyFinding({ OUTDIAL_ENCRYPTION_KEYS: keys }: Env): Finding {
  try {
    createSecretBox(keys);
    return ok('encryption keys', 'they can be used');
  } catch (error) {
    return failed('encryption keys', wordsOf(error));
  }
}

const answersWithinMs = 5_000;

async function databaseFindings(env: Env, withAgents: boolean): Promise<Finding[]> {
  const wrongUrl = 'It has to be postgres://user:password@host:5432/outdial.';
  if (!URL.canParse(env.OUTDIAL_DATABASE_URL))
    return [failed('PostgreSQL', 'OUTDIAL_DATABASE_URL is no URL.', wrongUrl)];
  const { hostname, port } = new URL(env.OUTDIAL_DATABASE_URL);
  const where = `${hostname}:${port === '' ? '5432' : port}`;
  const database = openDatabase({
    ...{ url: env.OUTDIAL_DATABASE_URL, poolSize: 1, name: 'doctor', statementTimeoutMs: answersWithinMs },
  });
  try {
    const problems = await databaseProblems(database.pool);
    const isCurrent = await schemaIsCurrent(database.pool);
    return [
      ...problems.map((problem) => failed('PostgreSQL', problem)),
      ...(problems.length === 0 ? [ok('PostgreSQL', `${where} answers, is new enough, and its clock is right`)] : []),
      migrationFinding(isCurrent),
      ...(withAgents && isCurrent ? await agentWorkerFindings(env, database) : []),
    ];
  } catch (error) {
    // The words of the driver name no password.
    return [
      failed(
        'PostgreSQL',
        `${where}: ${wordsOf(error)}`,
        'See that it runs, and that OUTDIAL_DATABASE_URL has its address, user and password.',
      ),
    ];
  } finally {
    await database.close();
  }
}

const migrationFinding = (isCurrent: boolean): Finding =>
  isCurrent
    ? ok('migrations', 'the schema is that of this version')
    : failed(
        'migrations',
        'The schema is not that of this version.',
        'Run `outdial migrate`, then start the roles again.',
      );

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

async function temporalFinding(env: Env): Promise<Finding> {
  const temporal = openTemporal(env);
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = env;
  try {
    return (await temporal.isReachable())
      ? ok('Temporal', `${address} answers and has the namespace ${namespace}`)
      : failed(
          'Temporal',
          `${address} does not answer, or has no namespace ${namespace}.`,
          'See that it runs, and that TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and, for Temporal Cloud, TEMPORAL_API_KEY are right.',
        );
  } finally {
    await temporal.close();
  }
}

/** Asks the LiveKit of each region something that needs its key. */
async function liveKitFindings(env: Env): Promise<Finding[]> {
  let regions: ReturnType<typeof liveKitSettings>;
  try {
    regions = liveKitSettings(env);
  } catch (error) {
    return [failed('LiveKit', wordsOf(error))];
  }
  if (regions.length === 0) {
    return [
      failed(
        'LiveKit',
        'OUTDIAL_PROVIDER is livekit and no LiveKit is set.',
        'Set OUTDIAL_LIVEKIT_URL, OUTDIAL_LIVEKIT_API_KEY and OUTDIAL_LIVEKIT_API_SECRET.',
      ),
    ];
  }
  const { createLiveKitClient } = await import('../../telephony/livekit/client.js');
  return Promise.all(
    regions.map(async (region) => {
      const check = `LiveKit of ${region.name}`;
      try {
        await createLiveKitClient(region).participants('outdial-doctor');
        return ok(check, `${new URL(region.url).host} answers and takes the key`);
      } catch (error) {
        const remedy = 'See that it runs, and that its address, API key and secret are right.';
        return failed(check, `${new URL(region.url).host}: ${wordsOf(error)}`, remedy);
      }
    }),
  );
}

/** Models that configs get which name none: their providers need a key of the service. */
function modelFindings({
  OUTDIAL_DEFAULT_STT: stt,
  OUTDIAL_DEFAULT_LLM: llm,
  OUTDIAL_DEFAULT_TTS: tts,
  OUTDIAL_DEFAULT_TTS_VOICE: voice,
}: Env): Finding[] {
  const ids = [...new Set([stt, llm, tts].map((model) => model.split('/')[0] ?? ''))];
  const keys = ids.flatMap((id) => {
    const { name, keyVariable = null } = modelProvider(id) ?? {};
    if (keyVariable === null || name === undefined) return [];
    return serviceKey(id) === undefined
      ? [
          warning(
            `key of ${name}`,
            `${keyVariable} is not set here: agents that use the default models need it.`,
            `Set ${keyVariable} for worker and agent, or name other models (OUTDIAL_DEFAULT_STT, _LLM, _TTS).`,
          ),
        ]
      : [ok(`key of ${name}`, `${keyVariable} is set`)];
  });
  if (voice !== undefined) return keys;
  return [
    ...keys,
    warning(
      'voice',
      'OUTDIAL_DEFAULT_TTS_VOICE is not set: every agent has to name a voice.',
      'Set it, or name a voice in each config.',
    ),
  ];
}
