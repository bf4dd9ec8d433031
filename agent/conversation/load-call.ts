import { secretPlaces } from '../../domain/account/secret-places.js';
import {
  type AgentCall,
  type AgentLeg,
  callForAgent,
  toolsOfAgent,
  versionForPlayground,
  versionSecrets,
} from '../../db/queries/calls/conversation.js';
import type { ModelDefaults } from '../../domain/agent-config/defaults.js';
import { isObject, type JsonObject, textAt } from '../../domain/input/json-value.js';
import type { AgentConfig } from '../../domain/agent-config/schema.js';
import type { PlaygroundJob } from '../../domain/agent/job.js';
import { calleeIdentity } from '../../domain/call/callee-identity.js';
import { sessionPlan } from '../../domain/session-plan/plan.js';
import type { SessionPlan } from '../../domain/session-plan/types.js';
import { type ToolMethod, toolMethods } from '../../domain/agent/tool.js';
import type { Env } from '../../platform/env.js';
import type { TranscriptLine } from '../../telephony/provider.js';
import { modelAccess } from '../models/access.js';
import type { AgentDeps } from './deps.js';
import type { HttpTool } from './http-tool.js';
import type { ModelAccess } from '../models/models.js';

/** A conversation with everything that it needs. */
export interface LoadedConversation {
  readonly accountId: string;
  /**
   * The leg it is held on, the number of the other side, and the recipient's own time zone, if one is known; null in the
   * playground, where nothing is stored.
   */
  readonly leg:
    | (AgentLeg & {
        readonly invite: number;
        readonly batchId: string | null;
        readonly number: string;
        readonly zone: string | null;
      })
    | null;
  readonly plan: SessionPlan;
  readonly access: ModelAccess;
  readonly httpTools: readonly HttpTool[];
  /** Identity of the callee's participant. */
  readonly identity: string;
  /** The other side called us (inbound). */
  readonly isCaller: boolean;
  /** The transcript of an agent that died in the middle of this leg. */
  readonly said: readonly TranscriptLine[];
  /** Whether the leg is to be recorded. */
  readonly record: boolean;
  /** When the leg was answered, if that was before this agent came. */
  readonly answeredAt: Date | null;
  /** Longest duration; null: the whole call. */
  readonly maxSeconds: number | null;
}

const dataOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

function defaultsOf(pinned: unknown, env: Env): ModelDefaults {
  const voice = textAt(pinned, 'ttsVoice') ?? env.OUTDIAL_DEFAULT_TTS_VOICE;
  return {
    stt: textAt(pinned, 'stt') ?? env.OUTDIAL_DEFAULT_STT,
    llm: textAt(pinned, 'llm') ?? env.OUTDIAL_DEFAULT_LLM,
    tts: textAt(pinned, 'tts') ?? env.OUTDIAL_DEFAULT_TTS,
    ...(voice === undefined ? {} : { ttsVoice: voice }),
  };
}

/** Lines of this leg: those of an earlier attempt were spoken before it was answered. */
function saidOnLeg({ transcript, answeredAt }: AgentCall): TranscriptLine[] {
  if (answeredAt === null || !Array.isArray(transcript)) return [];
  return transcript.flatMap((line: unknown): TranscriptLine[] => {
    const [speaker, text, at] = [textAt(line, 'speaker'), textAt(line, 'text'), textAt(line, 'at')];
    if ((speaker !== 'agent' && speaker !== 'callee') || text === undefined || at === undefined) return [];
    return Date.parse(at) >= answeredAt.getTime() ? [{ speaker, text, at }] : [];
  });
}

const methodOf = (text: string): ToolMethod => toolMethods.find((method) => method === text) ?? 'POST';

function headersOf(headers: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(dataOf(headers)).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

/** The keys and tools that a plan needs, opened. */
async function opened(deps: AgentDeps, accountId: string, versionId: string, plan: SessionPlan) {
  const { secretBox, env, database } = deps;
  const [sealed, tools] = await Promise.all([
    versionSecrets(database.db, accountId, versionId),
    toolsOfAgent(database.db, accountId, plan.toolIds),
  ]);
  const keys = new Map(
    [...sealed].map(([path, envelope]) => [
      path,
      secretBox.open(envelope, secretPlaces.agentKey(accountId, versionId, path)),
    ]),
  );
  const httpTools = tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    parameters: { ...dataOf(tool.parameters) },
    method: methodOf(tool.method),
    url: tool.url,
    headers: headersOf(
      tool.headers_sealed === null
        ? {}
        : JSON.parse(secretBox.open(tool.headers_sealed, secretPlaces.toolHeaders(accountId, tool.id))),
    ),
    timeoutSeconds: tool.timeout_seconds,
  }));
  return { plan, httpTools, access: modelAccess(env, keys) };
}

/**
 * Reads the call of a job.
 *
 * @param callId the bare UUID
 * @param caller identity of the participant who called in; omitted: the one that was dialed
 * @returns null if its leg is over
 */
export async function loadCall(
  deps: AgentDeps,
  callId: string,
  room: string,
  caller?: string,
): Promise<LoadedConversation | null> {
  const call = await callForAgent(deps.database.db, callId, room);
  if (call === null) return null;
  const { accountId, attempt, invite, versionId } = call;
  const facts = {
    metadata: dataOf(call.metadata),
    language: call.language,
    agentMetadata: dataOf(call.agentMetadata),
    disclosure: call.disclosure,
    dtmf: call.dtmf,
    canCallBack: call.batchId !== null,
    noiseCancellation: call.noiseCancellation,
  };
  // Only a config that was validated is ever stored.
  const plan = sessionPlan(call.config as AgentConfig, facts, defaultsOf(call.defaults, deps.env));
  return {
    ...(await opened(deps, accountId, versionId, plan)),
    accountId,
    leg: { accountId, callId, attempt, invite, batchId: call.batchId, number: call.number, zone: call.zone },
    identity: caller ?? calleeIdentity({ callId, attempt, invite }),
    isCaller: caller !== undefined,
    said: saidOnLeg(call),
    maxSeconds: null,
    record: call.record,
    answeredAt: call.answeredAt,
  };
}

/** Reads the version that is tried in the playground; null if it is gone. */
export async function loadPlayground(
  deps: AgentDeps,
  { accountId, versionId, metadata, maxSeconds }: PlaygroundJob,
  room: string,
): Promise<LoadedConversation | null> {
  const version = await versionForPlayground(deps.database.db, accountId, versionId);
  if (version === null) return null;
  const facts = { metadata, agentMetadata: {}, disclosure: version.disclosure, dtmf: false, noiseCancellation: false };
  const plan = sessionPlan(version.config as AgentConfig, facts, defaultsOf(version.defaults, deps.env));
  return {
    ...(await opened(deps, accountId, versionId, plan)),
    accountId,
    leg: null,
    // As api/playground/room.ts names room and visitor.
    identity: room.replace(/^.*playground_/, 'visitor_'),
    isCaller: false,
    said: [],
    maxSeconds,
    record: false,
    answeredAt: null,
  };
}
