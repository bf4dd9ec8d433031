import { v7 as uuidv7 } from 'uuid';
import { secretPlaces } from '../../domain/account/secret-places.js';
import { unfilledPlaceholders } from '../../domain/agent-config/placeholders.js';
import { slugOf } from '../../domain/session-plan/models.js';
import { type RegionAgents, regionAgents } from '../../db/queries/dialer/agent-slots.js';
import { findActiveKey } from '../../db/queries/accounts/keys.js';
import { liveKitForBrowsers } from '../../platform/livekit.js';
import { signToken } from '../../platform/token.js';
import { issueTime } from '../account/keys.js';
import { AgentParams } from '../agents/schema.js';
import { recordAudit } from '../audit.js';
import { type AppDeps, type Caller, operation } from '../operation.js';
import { endpointOf, planAgent } from './agent.js';
import { roomFor } from './room.js';
import { PlaygroundSession, StartPlaygroundSession, type textOnlyReasons } from './schema.js';

const sessionSeconds = 15 * 60;
const mostFields = 50;

/** A token for this agent's playground alone. It never outlives the one that asked for it, so that none renews itself. */
async function sessionToken(deps: AppDeps, { keyId, expiresAt }: Caller, agentId: string) {
  const now = deps.clock();
  const key = await findActiveKey(deps.database.db, keyId);
  if (key === null) throw new Error('The key of a token that was just verified is gone.');
  const latest = expiresAt?.getTime() ?? Infinity;
  const left = Math.floor((latest - now.getTime()) / 1000);
  const ttlSeconds = Math.max(1, Math.min(sessionSeconds, left));
  const request = { keyId, permissions: ['playground'], agentId, ttlSeconds };
  const secret = deps.secretBox.open(key.secretSealed, secretPlaces.apiKey(key.accountId, keyId));
  return { token: await signToken(secret, request, issueTime(key, now)), ttlSeconds, now };
}

/** Why no agent would join, and what to do about it; empty if one would. */
function noAgentWords(region: string, agents: RegionAgents): { readonly problem?: string } {
  const { slots, used, ready, warming, draining } = agents;
  if (slots > used) return {};
  if (ready > 0) {
    return {
      problem:
        `All agents of the region ${region} are taken by other conversations, or are just being started. Try again in a ` +
        'moment. If it stays so, start another worker with `outdial agent`, or raise OUTDIAL_AGENT_SLOTS.',
    };
  }
  if (warming > 0) {
    return { problem: `The agent worker of the region ${region} is still warming up. Try again in a moment.` };
  }
  const start = 'Start one with `outdial agent`, then try again.';
  return {
    problem:
      draining > 0
        ? `The agent workers of the region ${region} are stopping. ${start}`
        : `No agent worker serves the region ${region}, so no agent would answer. ${start}`,
  };
}

/** POST /v1/agents/{agentId}/playground-sessions */
export const createPlaygroundSession = operation({
  name: 'playground.createSession',
  method: 'POST',
  url: '/v1/agents/:agentId/playground-sessions',
  family: 'agents',
  tag: 'Playground',
  playground: true,
  perMinute: 60,
  schema: {
    summary: 'Start trying an agent',
    description:
      'The first request of the page at `playgroundUrl`: it exchanges the token of that address for one that soon ' +
      'expires and allows only trying this agent. That may ask again, with other metadata; the new one expires no ' +
      'later.\n\n' +
      'With LiveKit set up and the agent active, `voice` opens a room; the agent joins as soon as a visitor enters, ' +
      'and ends the conversation after OUTDIAL_PLAYGROUND_SECONDS. `voice.problem` says why no agent would come at ' +
      'this moment. Otherwise `textOnlyReason` says why there is only text. An inactive agent answers in text, as ' +
      'its latest version.',
    params: AgentParams,
    body: StartPlaygroundSession,
    response: { 201: PlaygroundSession },
  },

  async handler({ params: { agentId }, body: { metadata = {} }, caller }, deps) {
    const { accountId } = caller;
    const { agent, config, plan, models } = await planAgent(deps, { accountId, agentId }, metadata);
    const { versionId } = agent;
    const { token, ttlSeconds, now } = await sessionToken(deps, caller, agentId);
    const liveKit = liveKitForBrowsers(deps.env);
    const reason = (): (typeof textOnlyReasons)[number] => {
      if (liveKit !== null) return 'inactive';
      return deps.env.OUTDIAL_PROVIDER === 'simulator' ? 'simulated' : 'no_livekit';
    };
    const maxSeconds = deps.env.OUTDIAL_PLAYGROUND_SECONDS;
    const job = { kind: 'playground' as const, accountId, agentId, versionId, metadata, maxSeconds };
    const voice =
      liveKit === null || !agent.isActive
        ? null
        : {
            ...(await roomFor(liveKit, job, uuidv7(), ttlSeconds)),
            maxSeconds,
            ...noAgentWords(liveKit.name, await regionAgents(deps.database.db, liveKit.name)),
          };
    const endpoints = models.map((model) => endpointOf(deps, accountId, agent, model));
    const problem = endpoints.every((endpoint) => typeof endpoint === 'string') ? endpoints[0] : undefined;
    const [first] = models;
    const fields = new Set(unfilledPlaceholders(config, new Set()).map(({ placeholder }) => placeholder));
    await recordAudit(deps.database.db, caller, 'agent.playground', agentId, { versionId });
    return {
      status: 201,
      body: {
        token,
        expiresAt: new Date(now.getTime() + ttlSeconds * 1000).toISOString(),
        agentId,
        name: agent.name,
        status: agent.isActive ? ('active' as const) : ('inactive' as const),
        versionId,
        language: plan.language,
        languages: plan.languages.map(({ name }) => name),
        fields: [...fields].slice(0, mostFields),
        ...(voice === null ? { textOnlyReason: reason() } : { voice }),
        text: {
          model: first === undefined ? 'none' : slugOf(first),
          ...(problem === undefined ? {} : { problem }),
        },
      },
    };
  },
});
