import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { v7 as uuidv7 } from 'uuid';
import { expect, vi } from 'vitest';
import { type Database, openDatabase } from '../../db/client.js';
import { hasAgentWorker } from '../../db/queries/dialer/agent-slots.js';
import { calleeIdentity } from '../../domain/call/callee-identity.js';
import { formatId } from '../../domain/ids.js';
import { type Child, startChild } from '../../embedded/child.js';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import { createLiveKitClient } from '../../telephony/livekit/client.js';
import { testDatabase } from '../../test/setup/database.js';
import { enterAsCallee, type TestCallee } from './callee.js';
import { type LiveKitServer, startLiveKitServer } from '../../test/setup/livekit-server.js';
import { type SpeechServer, startSpeechServer } from './speech-server.js';

/** A call that rings: its rows as the dialer leaves them, its room, its agent on the way. */
export interface RingingCall {
  readonly id: string;
  readonly number: string;
  readonly room: string;
  readonly callee: TestCallee;
  row(): Promise<{ transcript: unknown; answered_by: string | null }>;
  attempt(): Promise<{ hang_up_reason: string | null; answered_by: string | null }>;
  /** The phone is picked up, and the dialer stores it. @param noticedAfterMs how much later LiveKit tells the agent */
  answer(noticedAfterMs?: number): Promise<void>;
  /** kill -9 of the process of the conversation. */
  loseAgent(): Promise<void>;
}

/** Where a call is held. */
export interface Place {
  /** A static room, which others may be in; left out: one of its own. */
  readonly room?: string;
  /** The routing rule that it runs by; left out: one that is gone by now. */
  readonly ruleId?: string;
}

export interface AgentTestEnv {
  readonly database: Database;
  readonly speech: SpeechServer;
  readonly liveKit: LiveKitServer;
  readonly accountId: string;
  readonly worker: Child;
  readonly log: string;
  /**
   * Dials as the dialer does.
   *
   * @param config without models: all are the speech server's
   * @param options as POST /v2/sip/call leaves them with the call
   */
  ring(config: object, metadata?: object, options?: object, place?: Place): Promise<RingingCall>;
  /** Starts another worker, as on another machine. Resolves when it is up; `offersSlots` tells when it takes calls. */
  startWorker(): Promise<Child>;
  /** An agent with a version. @returns its id */
  anAgent(config?: object): Promise<string>;
  /** Sends an agent to a call's room, again. */
  dispatch(call: RingingCall): Promise<void>;
  close(): Promise<void>;
}

/** For what happens within seconds on a quiet machine; a busy one takes its time. */
export const patience = { timeout: 90_000, interval: 100 };

/** Seals secrets of the environment. */
export const encryptionKey = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

/** For `aWorld`, in milliseconds. */
export const setUp = 180_000;

/** A real LiveKit, a real worker (as `node scripts/install-agent.mjs` has compiled it) with processes of its own, real audio; the models alone are stand-ins. */
export async function agentTestEnv(
  program: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<AgentTestEnv> {
  const [testing, liveKit, speech] = await Promise.all([
    testDatabase(),
    startLiveKitServer(program),
    startSpeechServer(),
  ]);
  const database = openDatabase({ url: testing.url, poolSize: 4, name: 'test' });
  const { db } = database;
  const log = join(temporaryFolder('agent'), 'agent.log');
  const workers: Child[] = [];
  const environment = {
    ...process.env,
    OUTDIAL_DATABASE_URL: testing.url,
    OUTDIAL_ENCRYPTION_KEYS: encryptionKey,
    OUTDIAL_LIVEKIT_URL: liveKit.url,
    OUTDIAL_LIVEKIT_API_KEY: liveKit.apiKey,
    OUTDIAL_LIVEKIT_API_SECRET: liveKit.apiSecret,
    OUTDIAL_CUSTOM_LLM_URL: speech.url,
    OUTDIAL_DEFAULT_STT: 'custom/fake-stt',
    OUTDIAL_DEFAULT_LLM: 'custom/fake-llm',
    OUTDIAL_DEFAULT_TTS: 'custom/fake-tts',
    OUTDIAL_DEFAULT_TTS_VOICE: 'tone',
    OUTDIAL_AGENT_SLOTS: '3',
    OUTDIAL_AGENT_WARM: '2',
    // Tests say how many they need, and other programs may fill the machine.
    OUTDIAL_AGENT_IGNORE_LOAD: 'true',
    OUTDIAL_LOG_LEVEL: process.env.OUTDIAL_TEST_LOG ?? 'info',
    ...settings,
  };
  async function startWorker(): Promise<Child> {
    const args = [fileURLToPath(new URL('run-worker.mjs', import.meta.url))];
    const worker = await startChild({ command: process.execPath, args, env: environment, logFile: log });
    workers.push(worker);
    return worker;
  }
  const worker = await startWorker();
  const accountId = formatId('account', uuidv7());
  await db.insertInto('accounts').values({ id: accountId, name: 'Test', webhook_secret_sealed: 'sealed' }).execute();
  await vi.waitFor(async () => expect(await hasAgentWorker(db, 'default')).toBe(true), patience);
  const client = createLiveKitClient({ name: 'default', ...liveKit });
  const callees: TestCallee[] = [];
  let made = 0;

  async function versionOf(config: object): Promise<{ agentId: string; versionId: string }> {
    const [agentId, versionId] = [formatId('agent', uuidv7()), formatId('version', uuidv7())];
    const owner = { account_id: accountId, agent_id: agentId };
    await db
      .insertInto('agents')
      .values({ id: agentId, account_id: accountId, name: 'Agent', status: 'inactive', latest_version_id: versionId })
      .execute();
    await db
      .insertInto('agent_versions')
      .values({ id: versionId, ...owner, number: 1, name: 'First', config: JSON.stringify(config) })
      .execute();
    return { agentId, versionId };
  }

  return {
    database,
    speech,
    liveKit,
    accountId,
    worker,
    log,
    startWorker,
    async ring(config, metadata = {}, options = {}, { room: shared, ruleId = 'rule_test' } = {}) {
      const { agentId, versionId } = await versionOf(config);
      const id = uuidv7();
      const number = `+1555020${String(++made).padStart(4, '0')}`;
      const room = shared ?? `${formatId('call', id)}_1_1`;
      const parties = { account_id: accountId, to_number: number, gateway_id: 'gwo_test' };
      await db
        .insertInto('calls')
        .values({
          id,
          ...parties,
          from_number: '+15550100001',
          rule_id: ruleId,
          agent_id: agentId,
          version_id: versionId,
          metadata: JSON.stringify(metadata),
          status: 'dialing',
          options: JSON.stringify(options),
        })
        .execute();
      await db
        .insertInto('call_attempts')
        .values({
          call_id: id,
          number: 1,
          ...parties,
          phase: 'ringing',
          invite: 1,
          due_at: new Date(),
          claimed_by: uuidv7(),
          claimed_at: new Date(),
          dialed_at: new Date(),
          room,
          version_id: versionId,
        })
        .execute();
      await client.createRoom(room, id);
      const identity = calleeIdentity({ callId: id, attempt: 1, invite: 1 });
      const callee = await enterAsCallee(liveKit, room, identity);
      callees.push(callee);
      await client.dispatch(room, id);
      return {
        id,
        number,
        room,
        callee,
        row: () =>
          db.selectFrom('calls').select(['transcript', 'answered_by']).where('id', '=', id).executeTakeFirstOrThrow(),
        attempt: () =>
          db
            .selectFrom('call_attempts')
            .select(['hang_up_reason', 'answered_by'])
            .where('call_id', '=', id)
            .executeTakeFirstOrThrow(),
        loseAgent: () => loseAgent({ log, liveKit }, room),
        async answer(noticedAfterMs = 0) {
          const at = new Date(Date.now() - noticedAfterMs);
          await db
            .updateTable('call_attempts')
            .set({ phase: 'answered', answered_at: at })
            .where('call_id', '=', id)
            .execute();
          await callee.answer();
        },
      };
    },
    anAgent: async (config = { name: 'Test', languages: {} }) => (await versionOf(config)).agentId,
    async dispatch({ room, id }) {
      await client.dispatch(room, id);
    },
    async close() {
      for (const callee of callees) await callee.hangUp();
      for (const each of workers) {
        if (!each.isOver()) process.kill(each.pid, 'SIGKILL');
        await each.exited;
      }
      await liveKit.close();
      await speech.close();
      await database.close();
      await testing.close();
    },
  };
}

/** kill -9 of the process of a room's conversation. Resolves when LiveKit has noticed. */
export async function loseAgent({ log, liveKit }: Pick<AgentTestEnv, 'log' | 'liveKit'>, room: string): Promise<void> {
  process.kill(conversationIn(log, room), 'SIGKILL');
  await agentIsGone({ liveKit }, { room });
}

/** The process that writes of a room in the worker's log. */
function conversationIn(log: string, room: string): number {
  const line = readFileSync(log, 'utf8')
    .split('\n')
    .find((each) => each.includes('"a conversation begins"') && each.includes(room));
  const pid = Number(/"pid":(\d+)/.exec(line ?? '')?.[1]);
  expect(pid).toBeGreaterThan(0);
  return pid;
}

const hasAgent = async (
  { liveKit }: Pick<AgentTestEnv, 'liveKit'>,
  { room }: Pick<RingingCall, 'room'>,
): Promise<boolean> =>
  (await createLiveKitClient({ name: 'default', ...liveKit }).participants(room)).some(({ isAgent }) => isAgent);

/** The agent is in the room: what is said from now on reaches the callee. */
export async function agentIsHere(
  testEnv: Pick<AgentTestEnv, 'liveKit'>,
  call: Pick<RingingCall, 'room'>,
): Promise<void> {
  await expect.poll(() => hasAgent(testEnv, call), patience).toBe(true);
}

/** The agent has left the room. */
export async function agentIsGone(
  testEnv: Pick<AgentTestEnv, 'liveKit'>,
  call: Pick<RingingCall, 'room'>,
): Promise<void> {
  await expect.poll(() => hasAgent(testEnv, call), patience).toBe(false);
}
