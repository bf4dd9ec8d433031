import { z } from 'zod';
import { secretPlaces } from '../../domain/account/secret-places.js';
import type { ModelDefaults } from '../../domain/agent-config/defaults.js';
import type { AgentConfig } from '../../domain/agent-config/schema.js';
import { notFound } from '../../domain/errors.js';
import { customUrls, modelEndpoint, type ModelEndpoint } from '../../domain/agent/model-endpoints.js';
import { modelProvider } from '../../domain/agent/models.js';
import { modelChoice, slugOf } from '../../domain/session-plan/models.js';
import { sessionPlan } from '../../domain/session-plan/plan.js';
import type { LanguagePlan, ModelChoice, SessionPlan } from '../../domain/session-plan/types.js';
import { type AgentToTry, findAgentToTry } from '../../db/queries/agents/playground.js';
import type { AppDeps } from '../operation.js';

const StoredDefaults = z.object({
  stt: z.string().optional(),
  llm: z.string().optional(),
  tts: z.string().optional(),
  ttsVoice: z.string().optional(),
});

function defaultsOf({ env }: AppDeps, stored: unknown): ModelDefaults {
  const { stt, llm, tts, ttsVoice } = StoredDefaults.parse(stored);
  return {
    stt: stt ?? env.OUTDIAL_DEFAULT_STT,
    llm: llm ?? env.OUTDIAL_DEFAULT_LLM,
    tts: tts ?? env.OUTDIAL_DEFAULT_TTS,
    ttsVoice: ttsVoice ?? env.OUTDIAL_DEFAULT_TTS_VOICE,
  };
}

/** An agent, ready to be tried. */
interface PlannedAgent {
  readonly agent: AgentToTry;
  readonly config: AgentConfig;
  readonly plan: SessionPlan;
  /** What the plan has of the language that the conversation begins in. */
  readonly spoken: LanguagePlan;
  /** Models that may answer in writing, in order. */
  readonly models: readonly ModelChoice[];
}

/** @throws Failure `not_found` */
export async function planAgent(
  deps: AppDeps,
  { accountId, agentId }: { readonly accountId: string; readonly agentId: string },
  metadata: Readonly<Record<string, string>> = {},
): Promise<PlannedAgent> {
  const agent = await findAgentToTry(deps.database.db, accountId, agentId);
  if (agent === null) throw notFound('Agent not found');
  // Only a config that was validated is ever stored.
  const config = agent.config as AgentConfig;
  const defaults = defaultsOf(deps, agent.defaults);
  const { disclosure } = agent;
  const facts = { metadata, agentMetadata: {}, disclosure, dtmf: false, noiseCancellation: false };
  const plan = sessionPlan(config, facts, defaults);
  const spoken = plan.languages.find(({ name }) => name === plan.language);
  const language = { name: plan.language, code: spoken?.code ?? plan.language, variants: [] };
  if (spoken === undefined) throw new Error(`${agent.versionId} has no block for ${plan.language}.`);
  // A speech-to-speech model cannot write: the service's own language model replaces it.
  const standIn = () => [modelChoice({ model: defaults.llm }, 'llm', language, '')];
  const models = spoken.speech.kind === 'pipeline' ? spoken.speech.llm : standIn();
  return { agent, config, plan, spoken, models };
}

/** Where a model is asked, or words that say why it cannot be and what to do about it. */
export function endpointOf(
  deps: AppDeps,
  accountId: string,
  { versionId, keysSealed }: AgentToTry,
  choice: ModelChoice,
): ModelEndpoint | string {
  const path = choice.keyPath ?? '';
  const sealed = keysSealed[path];
  const place = secretPlaces.agentKey(accountId, versionId, path);
  const ownKey = sealed === undefined ? undefined : deps.secretBox.open(sealed, place);
  const slug = slugOf(choice);
  const found = modelEndpoint('llm', slug, ownKey, {
    serviceKey: deps.serviceKey,
    customUrls: customUrls(deps.env),
  });
  if (typeof found !== 'string') return found;
  const { name = choice.provider, keyVariable = null } = modelProvider(choice.provider) ?? {};
  if (found === 'unknown_model') {
    return `${slug} cannot be reached: for models of the provider custom, set OUTDIAL_CUSTOM_LLM_URL for the service.`;
  }
  const forService = keyVariable === null ? '' : `, or set ${keyVariable} for the service and start it again`;
  return `There is no key for ${name}, whose model ${slug} the agent uses. Send an apiKey with the model in the agent’s config${forService}.`;
}
