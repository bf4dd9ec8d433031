import { formatPath } from '../agent-config/problems.js';
import type { LanguageBlock, ModelEntry } from '../agent-config/schema.js';
import { type Language, variantOf } from '../agent/languages.js';
import type { ModelKind } from '../agent/model-catalog.js';
import { findModel } from '../agent/models.js';
import type { ModelChoice, SpeechPlan } from './types.js';

type Slot = Extract<ModelKind, 'stt' | 'llm' | 'tts' | 'realtime'>;

/** @throws if the slug names no such model: the catalogue has changed since the config was validated */
export function modelChoice(entry: ModelEntry, slot: Slot, language: Language, keyPath: string): ModelChoice {
  const found = findModel(entry.model, slot);
  if (typeof found === 'string') throw new Error(`${entry.model} is not a ${slot} model of the catalogue any more`);
  return {
    provider: found.provider.id,
    model: found.model.id,
    voice: entry.voice ?? null,
    language: (entry.language === undefined ? undefined : variantOf(language, entry.language)) ?? language.code,
    keyPath: entry.apiKey === undefined ? null : keyPath,
  };
}

/** Slots as they are used: a realtime model fills the other three by itself (docs/conformance.md, LanguageBlock). */
export function speechPlan(name: string, language: Language, block: LanguageBlock): SpeechPlan {
  const choices = (slot: Slot): ModelChoice[] =>
    (block[slot] ?? []).map((entry, index) =>
      modelChoice(entry, slot, language, formatPath(['languages', name, slot, index, 'apiKey'])),
    );
  const models = choices('realtime');
  if (models.length > 0) return { kind: 'realtime', models };
  return { kind: 'pipeline', stt: choices('stt'), llm: choices('llm'), tts: choices('tts') };
}

/** A model as the catalogue and configs name it. */
export const slugOf = ({ provider, model }: ModelChoice): string => `${provider}/${model}`;
