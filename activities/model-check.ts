import { secretPlaces } from '../domain/account/secret-places.js';
import type { AskableModel } from '../domain/agent-config/deploy-problems.js';
import {
  customProvider,
  customUrlVariable,
  type ModelEndpoint,
  modelEndpoint,
} from '../domain/agent/model-endpoints.js';
import { findModel } from '../domain/agent/models.js';
import { completeChat, NoAnswer, refusedWith, tryHearing, trySpeech } from '../platform/openai-protocol.js';
import { silence } from '../platform/silence.js';
import { hearingRequest, type SpeechRequest, speechRequest } from '../platform/speech-providers.js';
import type { ActivityDeps } from './deps.js';

/** Longer than a model takes to say a word; a create waits for its deploy no longer than this. */
const answerWithinMs = 4_000;
/** A config with many languages and fallbacks names few different models. */
const mostAsked = 10;

/** A request that the model’s server does not take as it is. */
const badRequest = new Set([400, 422]);

interface ModelCheck {
  readonly accountId: string;
  readonly versionId: string;
  readonly models: readonly AskableModel[];
  /** Keys of the config, sealed, by their place in it. */
  readonly sealedKeys: Readonly<Record<string, string>>;
}

/** A model, and the smallest thing that a conversation would ask of it. */
interface Question extends AskableModel {
  /** The same for two places in the config whose models are asked the same. */
  readonly content: string;
  /** @throws NoAnswer */
  ask(): Promise<unknown>;
}

/** What a refusal means for whoever deploys; undefined if a later call may well be answered. */
function problemOf({ kind, slug, path, voice }: Question, error: unknown): string | undefined {
  if (!(error instanceof NoAnswer)) throw error;
  const where = `${slug} (${path})`;
  const found = findModel(slug, kind);
  const isCustom = typeof found !== 'string' && found.provider.id === customProvider;
  const provider = typeof found === 'string' || isCustom ? 'its server' : found.provider.name;
  const { statusCode } = error;
  if (statusCode === 401 || statusCode === 403) {
    return `${where}: ${provider} refuses the key (${statusCode}). Send one that may use the model.`;
  }
  if (statusCode === 402) {
    return `${where}: ${provider} says that the account of the key has nothing left to pay with (402). Top it up.`;
  }
  if (statusCode === 404) {
    const unknown = voice === undefined ? 'the model' : `the model, or its voice ${voice}`;
    return `${where}: ${provider} does not know ${unknown} (404). Name what it has, or correct the address.`;
  }
  if (kind === 'tts' && statusCode !== null && badRequest.has(statusCode)) {
    return `${where}: ${provider} does not speak as ${voice ?? 'no voice'} with this model (${statusCode}). Name a voice that the model has.`;
  }
  if (statusCode === null && isCustom && error.unreachable) {
    return `${where}: nothing answers at its address. Start the server, or correct ${customUrlVariable(kind)}.`;
  }
  return undefined;
}

type CheckDeps = Pick<ActivityDeps, 'secretBox' | 'languageModels' | 'fetchOutside' | 'logger'>;

const word = 'Yes.';

/** @throws NoAnswer */
async function send({ url, headers, body }: SpeechRequest, { fetchOutside }: CheckDeps): Promise<void> {
  const signal = AbortSignal.timeout(answerWithinMs);
  const answer = await fetchOutside(url, { method: 'POST', headers, body, signal }).catch(() => {
    throw new NoAnswer(true, null, 'the model could not be reached');
  });
  await answer.body?.cancel();
  if (!answer.ok) throw refusedWith(answer.status);
}

/** Asks over the OpenAI protocol. */
function askOver(endpoint: ModelEndpoint, { kind, voice }: AskableModel): Promise<unknown> {
  const asked = { ...endpoint, timeoutMs: answerWithinMs };
  if (kind === 'stt') return tryHearing(asked);
  if (kind === 'tts') return trySpeech({ ...asked, voice: voice ?? '', text: word });
  return completeChat({ ...asked, messages: [{ role: 'user', content: 'Answer with the word yes.' }] });
}

/** A request in a provider's own protocol; undefined if there is none. */
function ownRequest({ kind, slug, voice, languageCode }: AskableModel, ownKey: string | undefined, deps: CheckDeps) {
  const found = findModel(slug, kind);
  if (typeof found === 'string' || kind === 'llm' || languageCode === undefined) return undefined;
  const apiKey = ownKey ?? deps.languageModels.serviceKey(found.provider.id);
  if (apiKey === undefined) return undefined;
  const model = { provider: found.provider.id, kind, model: found.model.id, voice, languageCode, apiKey };
  return kind === 'tts' ? speechRequest(model, word) : hearingRequest(model, silence());
}

/** undefined: the deploy itself says what is missing, or the model is not asked beforehand. */
function questionOf(model: AskableModel, ownKey: string | undefined, deps: CheckDeps): Question | undefined {
  if (model.kind === 'tts' && model.voice === undefined) return undefined;
  const endpoint = modelEndpoint(model.kind, model.slug, ownKey, deps.languageModels);
  if (typeof endpoint !== 'string') {
    const content = JSON.stringify([model.kind, endpoint, model.voice]);
    return { ...model, content, ask: () => askOver(endpoint, model) };
  }
  const request = ownRequest(model, ownKey, deps);
  if (request === undefined) return undefined;
  const content = JSON.stringify([request.url, request.headers, typeof request.body === 'string' ? request.body : '']);
  return { ...model, content, ask: () => send(request, deps) };
}

async function problemsOf(question: Question, { logger }: CheckDeps): Promise<string[]> {
  try {
    await question.ask();
    return [];
  } catch (error) {
    const problem = problemOf(question, error);
    if (problem !== undefined) return [problem];
    // A provider that is slow or down for a moment is no reason to keep a correct agent from its calls.
    logger.warn({ model: question.slug, reason: String(error) }, 'a model could not be checked before a deploy');
    return [];
  }
}

/**
 * Asks a little of the models of a version, once for each key, model and voice: a wrong key, or a model or voice that the provider does not
 * have, is found by the deploy, not by the first callee. Models that are reached by streams alone are not asked.
 *
 * @returns what is wrong, in words that say what to do; models that gave no answer in time are not among them
 */
export async function refusedModels(
  deps: CheckDeps,
  { accountId, versionId, models, sealedKeys }: ModelCheck,
): Promise<string[]> {
  const different = new Map<string, Question>();
  for (const model of models) {
    const keyPath = `${model.path}.apiKey`;
    const sealed = sealedKeys[keyPath];
    const place = secretPlaces.agentKey(accountId, versionId, keyPath);
    const ownKey = sealed === undefined ? undefined : deps.secretBox.open(sealed, place);
    const question = questionOf(model, ownKey, deps);
    if (question !== undefined && !different.has(question.content)) different.set(question.content, question);
  }
  const asked = [...different.values()].slice(0, mostAsked).map((question) => problemsOf(question, deps));
  return (await Promise.all(asked)).flat();
}
