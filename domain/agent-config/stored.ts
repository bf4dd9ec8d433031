import { languageNamed } from '../agent/languages.js';
import { maskKey } from '../agent/masked-key.js';
import { formatPath, type Path } from './problems.js';
import type { AgentConfig, LanguageBlock, ModelEntry } from './schema.js';

/** A provider's key, apart from its config: kept sealed, found again by the path of its entry in the stored config. */
export interface ProviderKey {
  /** Path in the stored config, such as `languages.english.tts[0].apiKey`. */
  readonly path: string;
  /** The key in full. */
  readonly value: string;
}

type KeepKey = (path: Path, value: string) => void;

function storedEntry(entry: ModelEntry, path: Path, keep: KeepKey): ModelEntry {
  const stored = { ...entry, model: entry.model.toLowerCase() };
  if (entry.apiKey === undefined) return stored;
  keep([...path, 'apiKey'], entry.apiKey);
  return { ...stored, apiKey: maskKey(entry.apiKey) };
}

function storedBlock(block: LanguageBlock, path: Path, keep: KeepKey): LanguageBlock {
  const stored = { ...block };
  for (const slot of ['stt', 'llm', 'tts', 'realtime'] as const) {
    const entries = block[slot];
    if (entries !== undefined) stored[slot] = entries.map((entry, i) => storedEntry(entry, [...path, slot, i], keep));
  }
  const model = block.turnDetection?.model;
  if (model !== undefined) stored.turnDetection = { ...block.turnDetection, model: model.toLowerCase() };
  return stored;
}

const canonicalName = (name: string): string => languageNamed(name)?.name ?? name;

function storedVoiceProcessing(voice: NonNullable<AgentConfig['voiceProcessing']>): AgentConfig['voiceProcessing'] {
  const { model, provider } = voice.noiseCancellation ?? {};
  if (model !== undefined) return { ...voice, noiseCancellation: { model: model.toLowerCase() } };
  if (provider !== undefined) return { ...voice, noiseCancellation: { provider: provider.toLowerCase() } };
  return voice;
}

/**
 * A valid config as it is stored and answered: names resolved, keys masked, nothing added (docs/conformance.md, Agent
 * (response) and agent status).
 *
 * @param config one that `validateAgentConfig` has found nothing wrong with
 */
export function storedForm(config: AgentConfig): { config: AgentConfig; secrets: readonly ProviderKey[] } {
  const secrets: ProviderKey[] = [];
  const keep: KeepKey = (path, value) => secrets.push({ path: formatPath(path), value });
  const stored: AgentConfig = { ...config, languages: {} };
  for (const [key, block] of Object.entries(config.languages)) {
    const name = canonicalName(key);
    stored.languages[name] = storedBlock(block, ['languages', name], keep);
  }
  if (config.defaultLanguage !== undefined) stored.defaultLanguage = canonicalName(config.defaultLanguage);
  if (config.voiceProcessing !== undefined) stored.voiceProcessing = storedVoiceProcessing(config.voiceProcessing);
  const llm = config.callSummary?.llm;
  if (llm !== undefined)
    stored.callSummary = { ...config.callSummary, llm: storedEntry(llm, ['callSummary', 'llm'], keep) };
  const model = config.analysis?.model;
  if (config.analysis !== undefined && model !== undefined)
    stored.analysis = { ...config.analysis, model: storedEntry(model, ['analysis', 'model'], keep) };
  return { config: stored, secrets };
}
