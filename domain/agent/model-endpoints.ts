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

/** Addresses of the provider `custom`, by the kind of its models; undefined: it has none of that kind. */
export type CustomUrls = Readonly<Record<'llm' | 'realtime' | 'stt' | 'tts', string | undefined>>;

interface CustomUrlSettings {
  readonly OUTDIAL_CUSTOM_LLM_URL?: string | undefined;
  readonly OUTDIAL_CUSTOM_STT_URL?: string | undefined;
  readonly OUTDIAL_CUSTOM_TTS_URL?: string | undefined;
}

/** Speech is at the address of the language models unless it has its own. */
export const customUrls = ({
  OUTDIAL_CUSTOM_LLM_URL: llm,
  OUTDIAL_CUSTOM_STT_URL: stt = llm,
  OUTDIAL_CUSTOM_TTS_URL: tts = llm,
}: CustomUrlSettings): CustomUrls => ({ llm, realtime: llm, stt, tts });

/** The kinds of custom models that have an address. */
export const customKinds = (urls: CustomUrls): ReadonlySet<ModelKind> =>
  new Set((['llm', 'realtime', 'stt', 'tts'] as const).filter((kind) => urls[kind] !== undefined));

/** Kinds of models that this service asks by itself, without an agent. */
export type AskedKind = 'llm' | 'stt' | 'tts';

/** Providers whose models of a kind speak the OpenAI protocol, and where; `custom` is at `customUrls`. */
const baseUrls: Readonly<Record<AskedKind, Readonly<Record<string, string>>>> = {
  llm: llmBaseUrls,
  stt: { groq: 'https://api.groq.com/openai/v1', openai: 'https://api.openai.com/v1' },
  tts: { openai: 'https://api.openai.com/v1' },
};

/** Where a provider's models of a kind speak the OpenAI protocol; undefined if they do not. */
export const baseUrlOf = (kind: AskedKind, providerId: string): string | undefined => baseUrls[kind][providerId];

/** The settings of the service that decide how models are reached. */
export interface ModelSettings {
  /** The service's own key with a provider (catalogue id), or undefined. */
  readonly serviceKey: (providerId: string) => string | undefined;
  readonly customUrls: CustomUrls;
}

/** Where a model is asked, and as whom. */
export interface ModelEndpoint {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The provider's own name of the model. */
  readonly model: string;
}

/**
 * Where a model is and what opens it, or why it cannot be asked: `unknown_model` also if its provider has a protocol of its own.
 *
 * @param slug of the catalogue
 * @param ownKey that the config has for it; undefined: the service's own is taken
 */
export function modelEndpoint(
  kind: AskedKind,
  slug: string,
  ownKey: string | undefined,
  { serviceKey, customUrls: urls }: ModelSettings,
): ModelEndpoint | 'unknown_model' | 'no_key' {
  const found = findModel(slug, kind);
  if (typeof found === 'string') return 'unknown_model';
  const { provider, model } = found;
  const isCustom = provider.id === customProvider;
  const baseUrl = isCustom ? urls[kind] : baseUrlOf(kind, provider.id);
  if (baseUrl === undefined) return 'unknown_model';
  // A server of the operator's own may need no key.
  const apiKey = ownKey ?? serviceKey(provider.id) ?? (isCustom ? 'none' : undefined);
  return apiKey === undefined ? 'no_key' : { baseUrl, apiKey, model: model.id };
}
