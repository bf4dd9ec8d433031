import { initializeLogger } from '@livekit/agents';
import { describe, expect, test } from 'vitest';
import {
  type CatalogModel,
  type ModelKind,
  type ModelProvider,
  modelProviders,
} from '../../domain/agent/model-catalog.js';
import { buildVad } from '../conversation/session.js';
import {
  buildLlm,
  buildRealtime,
  buildStt,
  buildTts,
  llmBuilders,
  type ModelAccess,
  realtimeBuilders,
  sttBuilders,
  ttsBuilders,
} from '../models/models.js';

initializeLogger({ pretty: false, level: 'silent' });

const access: ModelAccess = {
  keyOf: () => 'a-key-of-a-test',
  baseUrlOf: (provider) => (provider === 'custom' ? 'http://127.0.0.1:9/v1' : undefined),
};
const vad = buildVad({ threshold: 0.5, minSpeechMs: null, minSilenceMs: null });
const tables = { stt: sttBuilders, llm: llmBuilders, tts: ttsBuilders, realtime: realtimeBuilders } as const;
type Slot = keyof typeof tables;
const slots = Object.keys(tables) as Slot[];

const choiceOf = (provider: ModelProvider, model: CatalogModel) => ({
  provider: provider.id,
  model: model.id,
  voice: model.voices === 'open' ? 'a-voice' : (model.voices[0] ?? null),
  language: model.languages === 'any' ? 'en' : (model.languages[0] ?? 'en'),
  keyPath: null,
});

const isServed = ({ models, openKinds }: ModelProvider, kind: ModelKind): boolean =>
  openKinds.includes(kind) || models.some((model) => model.kind === kind);

describe('the catalogue and the plug-ins are one list', () => {
  const spoken = modelProviders.flatMap((provider) =>
    provider.models
      .filter(({ kind }) => slots.some((slot) => slot === kind))
      .map((model) => ({ provider, model, slug: `${provider.id}/${model.id}` })),
  );

  test.each(spoken)('$slug ($model.kind) can be built', ({ provider, model }) => {
    const choice = choiceOf(provider, model);
    const built = {
      stt: () => buildStt([choice], access, vad),
      llm: () => buildLlm([choice], access),
      tts: () => buildTts([choice], access),
      realtime: () => buildRealtime(choice, access),
    }[model.kind as Slot]();
    expect(built).toBeDefined();
  });

  test.each(slots)('every provider in the table of %s is in the catalogue with such a model', (slot) => {
    const providers = modelProviders.filter((provider) => isServed(provider, slot)).map(({ id }) => id);
    expect(Object.keys(tables[slot]).toSorted()).toEqual(providers.toSorted());
  });

  test('a second entry is a fallback of the first', () => {
    const [openai] = spoken.filter(({ provider, model }) => provider.id === 'openai' && model.kind === 'llm');
    const choice = choiceOf(openai!.provider, openai!.model);
    expect(buildLlm([choice, choice], access).label()).toContain('Fallback');
    const tts = { ...choice, model: 'tts-1', voice: 'alloy' };
    expect(buildTts([tts, { ...tts, voice: 'ash' }], access)).toHaveProperty('ttsInstances.length', 2);
    const stt = { ...choice, model: 'whisper-1', voice: null };
    expect(buildStt([stt, stt], access, vad)).toHaveProperty('models.length', 2);
    const streaming = { ...stt, provider: 'deepgram', model: 'nova-3' };
    expect(buildStt([streaming, stt], access, vad)).toHaveProperty('sttInstances.length', 2);
  });
});
