import type { ModelKind } from './model-catalog.js';
import { findModel } from './models.js';

/**
 * Where the providers of language models speak the OpenAI protocol, by their id in the catalogue. A test holds that every
 * provider of an `llm` is here; `custom` is at the operator's own address, OUTDIAL_CUSTOM_LLM_URL.
 */
export const llmBaseUrls: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com/v1/',
  'deepseek-ai': 'https://api.deepseek.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta/openai/',
  groq: 'https://api.groq.com/openai/v1',
  moonshotai: 'https://api.moonshot.ai/v1',
  openai: 'https://api.openai.com/v1',
  sarvam: 'https://api.sarvam.ai/v1',
  xai: 'https://api.x.ai/v1',
};

/** The provider whose models are wherever the operator says. */
export const customProvider = 'custom';

/** The setting that holds the address of custom models of a kind; speech falls back on that of language models. */
export const customUrlVariable = (kind: ModelKind): string =>
  kind === 'stt' || kind === 'tts' ? `OUTDIAL_CUSTOM_${kind.toUpperCase()}_URL` : 'OUTDIAL_CUSTOM_LLM_URL';

/** The settings of the service that decide how language models are reached. */
export interface LlmSettings {
  /** The service's own key with a provider (catalogue id), or undefined. */
  readonly serviceKey: (providerId: string) => string | undefined;
  /** OUTDIAL_CUSTOM_LLM_URL: where the models of the provider `custom` are. */
  readonly customUrl: string | undefined;
}

/** Where a model is asked, and as whom. */
export interface LlmEndpoint {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The provider's own name of the model. */
  readonly model: string;
}

/**
 * Where a model is and what opens it, or why it cannot be asked.
 *
 * @param slug of the catalogue
 * @param ownKey that the config has for it; undefined: the service's own is taken
 */
export function llmEndpoint(
  slug: string,
  ownKey: string | undefined,
  { serviceKey, customUrl }: LlmSettings,
): LlmEndpoint | 'unknown_model' | 'no_key' {
  const found = findModel(slug, 'llm');
  if (typeof found === 'string') return 'unknown_model';
  const { provider, model } = found;
  const isCustom = provider.id === customProvider;
  const baseUrl = isCustom ? customUrl : llmBaseUrls[provider.id];
  if (baseUrl === undefined) return 'unknown_model';
  // A server of the operator's own may need no key.
  const apiKey = ownKey ?? serviceKey(provider.id) ?? (isCustom ? 'none' : undefined);
  return apiKey === undefined ? 'no_key' : { baseUrl, apiKey, model: model.id };
}
