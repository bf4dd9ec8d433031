import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type SpeechServer, startSpeechServer } from '../../agent/test/speech-server.js';
import { type Database, openDatabase } from '../../db/client.js';
import { type Child, startChild } from '../../embedded/child.js';
import { freePort } from '../../embedded/free-port.js';
import { findTemporal, userBinFolder } from '../../embedded/temporal.js';
import { startTemporalServer } from '../../embedded/temporal-server.js';
import { type Client, clientOf } from '../e2e/client.js';
import { testDatabase } from '../setup/database.js';
import { type Listener, startListener } from './listener.js';
import { logFolder } from './logs.js';
import { canCall, withRealCalls } from './programs.js';

type RoleName = 'api' | 'worker' | 'dialer' | 'agent';

/** Outdial as it runs in production: each role a process of its own, started by its command. Only the models are stand-ins. */
export interface Outdial extends Client {
  /** What the agents speak and think with. */
  readonly speech: SpeechServer;
  /** What they hear with. */
  readonly listener: Listener;
  readonly database: Database;
  /** Starts a role, again or beside another of its kind; resolves when it says that it is healthy. @returns its pid */
  start(role: RoleName): Promise<number>;
  /** kill -9 of one process alone, the role's latest: what it has started lives on as it can. */
  kill(role: RoleName, pid?: number): Promise<void>;
  /** The process that talks in a room. */
  conversationIn(room: string): number;
  close(): Promise<void>;
}

const program = join(import.meta.dirname, '../../dist/cli/main.js');
const hasAgent = existsSync(join(import.meta.dirname, '../../agent/dist/agent/main.js'));

/** Whether calls with real agents can be made here: `describe.skipIf(!canTalk)(…)`. */
export const canTalk = canCall && hasAgent;

/** For the title of a suite: what it is, and what it lacks if it is skipped. */
export const withRealAgents = (what: string): string =>
  canCall && !hasAgent ? `${what} (skipped: agent/ is not installed)` : withRealCalls(what);

const Access = z.object({ token: z.string() });
const startWithinMs = 120_000;

/** Where LiveKit posts its webhooks when the API listens on this port. */
export const webhookUrlAt = (apiPort: number): string => `http://127.0.0.1:${apiPort}/livekit/webhook`;

/**
 * @param apiPort a free one; LiveKit was told of it before
 * @param agents calls that the agent worker takes at once; as many processes are kept warm
 */
export async function startOutdial(options: {
  readonly apiPort: number;
  readonly liveKit: { readonly url: string; readonly apiKey: string; readonly apiSecret: string };
  readonly agents: number;
}): Promise<Outdial> {
  const { apiPort, liveKit, agents } = options;
  const folder = logFolder('outdial');
  const temporalProgram = await findTemporal({ binFolder: userBinFolder() });
  if (temporalProgram.kind !== 'program') throw new Error('A Temporal of its own is needed: unset TEMPORAL_ADDRESS.');
  const [testing, speech, listener, temporal] = await Promise.all([
    testDatabase(),
    startSpeechServer(),
    startListener(),
    // Not the suites' shared one: schedules and workers of the service are for all that is on a server.
    startTemporalServer({ program: temporalProgram.path, logFile: join(folder, 'temporal.log') }),
  ]);
  const env = {
    ...process.env,
    OUTDIAL_DATABASE_URL: testing.url,
    OUTDIAL_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    TEMPORAL_ADDRESS: temporal.address,
    OUTDIAL_PORT: String(apiPort),
    OUTDIAL_PROVIDER: 'livekit',
    OUTDIAL_LIVEKIT_URL: liveKit.url,
    OUTDIAL_LIVEKIT_API_KEY: liveKit.apiKey,
    OUTDIAL_LIVEKIT_API_SECRET: liveKit.apiSecret,
    OUTDIAL_CUSTOM_LLM_URL: speech.url,
    OUTDIAL_CUSTOM_STT_URL: listener.url,
    OUTDIAL_CUSTOM_API_KEY: 'none is asked for',
    OUTDIAL_DEFAULT_STT: 'custom/fake-stt',
    OUTDIAL_DEFAULT_LLM: 'custom/fake-llm',
    OUTDIAL_DEFAULT_TTS: 'custom/fake-tts',
    OUTDIAL_DEFAULT_TTS_VOICE: 'tone',
    OUTDIAL_AGENT_SLOTS: String(agents),
    OUTDIAL_AGENT_WARM: String(agents),
    OUTDIAL_AGENT_IGNORE_LOAD: 'true',
    OUTDIAL_ALLOW_PRIVATE_SIP: 'true',
    OUTDIAL_ALLOW_INSECURE_WEBHOOKS: 'true',
    OUTDIAL_ALLOW_PRIVATE_WEBHOOKS: 'true',
    OUTDIAL_LOG_LEVEL: 'info',
  };
  const started: { readonly role: RoleName; readonly child: Child }[] = [];
  const logFile = (role: RoleName) => join(folder, `${role}.log`);

  async function start(role: RoleName): Promise<number> {
    const metricsPort = await freePort();
    const child = await startChild({
      command: process.execPath,
      args: [program, role],
      env: { ...env, OUTDIAL_METRICS_PORT: String(metricsPort) },
      logFile: logFile(role),
    });
    started.push({ role, child });
    if (!(await isHealthy(metricsPort, child))) throw new Error(`${role} does not start; see ${logFile(role)}`);
    return child.pid;
  }

  async function kill(role: RoleName, pid?: number): Promise<void> {
    const own = started.findLast((each) => each.role === role && (pid === undefined || each.child.pid === pid));
    if (own === undefined || own.child.isOver()) throw new Error(`There is no ${role} to kill.`);
    process.kill(own.child.pid, 'SIGKILL');
    await own.child.exited;
  }

  const account = execFileSync(process.execPath, [program, 'account', 'create', 'Telephony', '--json'], { env });
  const { token } = Access.parse(JSON.parse(account.toString()));
  await Promise.all((['api', 'worker', 'dialer', 'agent'] as const).map(start));
  const database = openDatabase({ url: testing.url, poolSize: 2, name: 'test' });

  return {
    ...clientOf(`http://127.0.0.1:${apiPort}`, token),
    ...{ speech, listener, database, start, kill },
    conversationIn(room) {
      const lines = readFileSync(logFile('agent'), 'utf8').split('\n');
      const line = lines.findLast((each) => each.includes('"a conversation begins"') && each.includes(room));
      const pid = Number(/"pid":(\d+)/.exec(line ?? '')?.[1]);
      if (!(pid > 0)) throw new Error(`No agent talks in ${room}.`);
      return pid;
    },
    async close() {
      // Nothing of it is wanted any more, so nothing is waited for.
      await Promise.all(started.map(({ child }) => endGroup(child)));
      await temporal.stop();
      await speech.close();
      await listener.close();
      await database.close();
      await testing.close();
    },
  };
}

/** kill -9 of a process and all that it has started: each role has a process group of its own. */
async function endGroup({ pid, exited }: Child): Promise<void> {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // it has ended by itself
  }
  await exited;
}

async function isHealthy(port: number, child: Child): Promise<boolean> {
  const untilMs = performance.now() + startWithinMs;
  while (!child.isOver() && performance.now() < untilMs) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    if (answer?.ok === true) return true;
    await pause(50);
  }
  return false;
}
