import { findModel } from '../agent/models.js';
import type { AgentConfig, LanguageBlock, ModelEntry } from './schema.js';

/** What the service uses if a config names no model: OUTDIAL_DEFAULT_STT, _LLM, _TTS and _TTS_VOICE. */
export interface ModelDefaults {
  readonly stt: string;
  readonly llm: string;
  readonly tts: string;
  readonly ttsVoice?: string | undefined;
}

/** A config with nothing left open, as a deployment pins it. */
export type ResolvedAgentConfig = AgentConfig & { readonly defaultLanguage: string };

const isEmpty = (slot: readonly ModelEntry[] | undefined): boolean => slot === undefined || slot.length === 0;

function defaultSpeech({ tts, ttsVoice }: ModelDefaults): ModelEntry {
  const found = findModel(tts, 'tts');
  const voices = typeof found === 'string' ? 'open' : found.model.voices;
  // A model with a fixed list of voices has one to fall back on; an open one has not, and the deploy says so.
  const voice = ttsVoice ?? (voices === 'open' ? undefined : voices[0]);
  return { model: tts.toLowerCase(), ...(voice === undefined ? {} : { voice }) };
}

function resolveBlock(block: LanguageBlock, defaults: ModelDefaults): LanguageBlock {
  const resolved = { ...block };
  if (block.greeting !== undefined) resolved.greeting = { interruptible: true, ...block.greeting };
  if (!isEmpty(block.realtime)) return resolved;
  if (isEmpty(block.stt)) resolved.stt = [{ model: defaults.stt.toLowerCase() }];
  if (isEmpty(block.llm)) resolved.llm = [{ model: defaults.llm.toLowerCase() }];
  if (isEmpty(block.tts)) resolved.tts = [defaultSpeech(defaults)];
  return resolved;
}

/** The language a call speaks if its metadata names none: the config's own, else english, else the first block. */
function defaultLanguageOf({ defaultLanguage, languages }: AgentConfig): string {
  const present = Object.keys(languages);
  return defaultLanguage ?? (present.includes('english') ? 'english' : (present[0] ?? 'english'));
}

/**
 * Fills in what a stored config omits, for its deployment. The stored config itself stays as it was sent, so a change
 * of the service's defaults reaches an agent at its next deploy and not in the middle of a batch.
 */
export function resolveDefaults(config: AgentConfig, defaults: ModelDefaults): ResolvedAgentConfig {
  const languages = Object.fromEntries(
    Object.entries(config.languages).map(([name, block]) => [name, resolveBlock(block, defaults)]),
  );
  const { callSummary } = config;
  const summary =
    callSummary?.enabled === true
      ? { callSummary: { ...callSummary, llm: callSummary.llm ?? { model: defaults.llm.toLowerCase() } } }
      : {};
  const { analysis } = config;
  const analyzed =
    analysis?.enabled === true
      ? { analysis: { ...analysis, model: analysis.model ?? { model: defaults.llm.toLowerCase() } } }
      : {};
  return { ...config, ...summary, ...analyzed, languages, defaultLanguage: defaultLanguageOf(config) };
}
