import { secretPlaces } from '../domain/account/secret-places.js';
import type { UsedLanguageModel } from '../domain/agent-config/deploy-problems.js';
import { customProvider, customUrlVariable, type LlmEndpoint, llmEndpoint } from '../domain/agent/llm-endpoints.js';
import { findModel } from '../domain/agent/models.js';
import { completeChat, NoCompletion } from '../platform/chat-completion.js';
import type { ActivityDeps } from './deps.js';

/** Longer than a model takes to say a word; a create waits for its deploy no longer than this. */
const answerWithinMs = 4_000;
/** A config with many languages and fallbacks names few different models. */
const mostAsked = 10;

interface ModelCheck {
  readonly accountId: string;
  readonly versionId: string;
  readonly models: readonly UsedLanguageModel[];
  /** Keys of the config, sealed, by their place in it. */
  readonly sealedKeys: Readonly<Record<string, string>>;
}

interface Named extends UsedLanguageModel {
  readonly endpoint: LlmEndpoint;
}

/** What a refusal means for whoever deploys; undefined if a later call may well be answered. */
function problemOf({ slug, path, endpoint }: Named, error: unknown): string | undefined {
  if (!(error instanceof NoCompletion)) throw error;
  const where = `${slug} (${path})`;
  const found = findModel(slug, 'llm');
  const isCustom = typeof found !== 'string' && found.provider.id === customProvider;
  const provider = typeof found === 'string' || isCustom ? 'its server' : found.provider.name;
  const { statusCode } = error;
  if (statusCode === 401 || statusCode === 403) {
    return `${where}: ${provider} refuses the key (${statusCode}). Send one that may use the model.`;
  }
  if (statusCode === 404) {
    return `${where}: ${provider} does not know the model ${endpoint.model} (404). Name one of its models, or correct the address.`;
  }
  if (statusCode === null && isCustom && error.unreachable) {
    return `${where}: nothing answers at its address. Start the server, or correct ${customUrlVariable('llm')}.`;
  }
  return undefined;
}

type CheckDeps = Pick<ActivityDeps, 'secretBox' | 'languageModels' | 'logger'>;

async function ask(model: Named, { logger }: CheckDeps): Promise<string[]> {
  const messages = [{ role: 'user', content: 'Answer with the word yes.' }] as const;
  try {
    await completeChat({ ...model.endpoint, messages, timeoutMs: answerWithinMs });
    return [];
  } catch (error) {
    const problem = problemOf(model, error);
    if (problem !== undefined) return [problem];
    // A provider that is slow or down for a moment is no reason to keep a correct agent from its calls.
    logger.warn({ model: model.slug, reason: String(error) }, 'a language model could not be checked before a deploy');
    return [];
  }
}

/**
 * Asks each language model of a version a short question, once for each key and model: a wrong key or a model that the provider
 * does not have is found by the deploy, not by the first callee.
 *
 * @returns what is wrong, in words that say what to do; models that gave no answer in time are not among them
 */
export async function refusedModels(
  deps: CheckDeps,
  { accountId, versionId, models, sealedKeys }: ModelCheck,
): Promise<string[]> {
  const different = new Map<string, Named>();
  for (const { slug, path } of models) {
    const keyPath = `${path}.apiKey`;
    const sealed = sealedKeys[keyPath];
    const place = secretPlaces.agentKey(accountId, versionId, keyPath);
    const ownKey = sealed === undefined ? undefined : deps.secretBox.open(sealed, place);
    const endpoint = llmEndpoint(slug, ownKey, deps.languageModels);
    if (typeof endpoint === 'string') continue;
    const known = JSON.stringify(endpoint);
    if (!different.has(known)) different.set(known, { slug, path, endpoint });
  }
  const asked = [...different.values()].slice(0, mostAsked).map((model) => ask(model, deps));
  return (await Promise.all(asked)).flat();
}
