import { type Env, readEnv } from '../../platform/env.js';
import { type LiveKitSetting, liveKitSettings } from '../../platform/livekit.js';
import { CommandFailed, exitCodes } from '../client/exit-codes.js';
import { failed, type Finding, warning, wordsOf } from '../doctor/finding.js';
import { linesOf } from '../doctor/print.js';
import { modelFindings, regionFindings } from '../doctor/real-calls.js';
import { agentIsInstalled, installAgent } from '../roles/agent.js';
import { liveKitVariables } from './livekit-environment.js';
import { providerConflict, providerOf } from './provider.js';

type Settings = Readonly<Record<string, string | undefined>>;

/** What stands between these settings and real calls. */
export interface Preflight {
  /** The service cannot start without. */
  readonly missing: readonly Finding[];
  /** LiveKit is set and does not answer. */
  readonly unreachable: readonly Finding[];
  /** It starts without, and calls need it. */
  readonly later: readonly Finding[];
}

/** @returns true if the agent worker and its packages are there */
type IsInstalled = () => boolean;

const firstTrunk = warning(
  'trunk',
  'there is none yet: no telephone can be called',
  'Once the service runs: outdial number create +14155550100 --trunk <address of the carrier> --user <user name> (docs/first-real-call.md)',
);

/**
 * Looks for everything that `outdial up --provider livekit` needs, all at once.
 *
 * @param env with LiveKit's variables under the names of the settings (liveKitEnvironment)
 */
export async function preflight(
  env: Settings,
  folder: string,
  isInstalled: IsInstalled = agentIsInstalled,
): Promise<Preflight> {
  const missing: Finding[] = [];
  const conflict = providerConflict(folder, 'livekit');
  if (conflict !== undefined) {
    missing.push(failed('data folder', conflict, 'Name another folder: --data .outdial-livekit'));
  }
  missing.push(...liveKitVariables.filter(({ name }) => isEmpty(env[name])).map(missingVariable));
  if (!isInstalled()) missing.push(failed('agent', 'The agent worker is not installed here.', `Run: ${installAgent}`));
  const read = settingsOf(env);
  if ('problem' in read) missing.push(read.problem);
  const { liveKit, sip } = await regionFindings('problem' in read ? [] : read.regions);
  return {
    missing,
    unreachable: liveKit.filter(isNotOk),
    later: [
      ...sip.filter(isNotOk).map((finding): Finding => ({ ...finding, state: 'warning' })),
      ...modelFindings(modelSettings(env)).filter(isNotOk),
      ...oneKey(env),
      ...(providerOf(folder) === 'livekit' ? [] : [firstTrunk]),
    ],
  };
}

/**
 * Prints what is found and goes on only if the service can start.
 *
 * @throws CommandFailed: 2 if something is missing, 6 if only LiveKit does not answer
 */
export async function requireStart(env: Settings, folder: string, say: (line: string) => void): Promise<void> {
  const { missing, unreachable, later } = await preflight(env, folder);
  const blocking = [...missing, ...unreachable];
  for (const finding of [...blocking, ...later]) for (const line of linesOf(finding, process.stdout)) say(line);
  if (blocking.length === 0) return;
  const words = blocking.length === 1 ? 'One thing is' : `${blocking.length} things are`;
  throw new CommandFailed(
    missing.length > 0 ? exitCodes.usage : exitCodes.unavailable,
    `${words} in the way of real calls (✗ above). Nothing was started.`,
  );
}

/** These alone, so that a wrong setting elsewhere does not hide which keys are missing: any text is one of these. */
const modelSettings = (env: Settings): Env =>
  readEnv(
    Object.fromEntries(
      Object.entries(env).filter(([name]) => /^OUTDIAL_DEFAULT_(?:STT|LLM|TTS|TTS_VOICE)$/.test(name)),
    ),
  );

const isNotOk = ({ state }: Finding): boolean => state !== 'ok';

const isEmpty = (text: string | undefined): boolean => text === undefined || text.trim() === '';

const missingVariable = ({ name, plain, from }: (typeof liveKitVariables)[number]): Finding =>
  failed(name, `It is not set, and neither is ${plain}.`, from);

function settingsOf(env: Settings): { readonly regions: readonly LiveKitSetting[] } | { readonly problem: Finding } {
  let read: Env;
  try {
    read = readEnv(env);
  } catch (error) {
    return { problem: failed('settings', wordsOf(error), 'docs/configuration.md lists what each may be.') };
  }
  if (liveKitVariables.some(({ name }) => isEmpty(env[name]))) return { regions: [] };
  try {
    return { regions: liveKitSettings(read) };
  } catch (error) {
    return { problem: failed('LiveKit', wordsOf(error)) };
  }
}

/** With a key of OpenAI alone, all models can be OpenAI's. */
function oneKey(env: Settings): Finding[] {
  const others = ['OUTDIAL_DEFAULT_STT', 'OUTDIAL_DEFAULT_TTS'];
  if (isEmpty(env.OPENAI_API_KEY) || others.some((name) => !isEmpty(env[name]))) return [];
  if (!isEmpty(env.DEEPGRAM_API_KEY) && !isEmpty(env.CARTESIA_API_KEY)) return [];
  return [
    warning(
      'one key',
      'OPENAI_API_KEY is enough for hearing, thinking and speaking, if these are set',
      'OUTDIAL_DEFAULT_STT=openai/gpt-4o-transcribe OUTDIAL_DEFAULT_TTS=openai/gpt-4o-mini-tts OUTDIAL_DEFAULT_TTS_VOICE=alloy',
    ),
  ];
}
