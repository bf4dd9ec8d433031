import { describe, expect, test } from 'vitest';
import { languageCoded, languageNamed, languages, variantOf } from '../../../domain/agent/languages.js';
import { modelProviders } from '../../../domain/agent/model-catalog.js';
import { findModel, modelsOfKind } from '../../../domain/agent/models.js';
import { readEnv } from '../../../platform/env.js';

describe('the catalogue', () => {
  const all = modelProviders.flatMap((provider) => provider.models.map((model) => ({ provider, model })));

  // shows: validation.catalogue
  test('has the providers that it promises, and custom models', () => {
    expect(modelProviders.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['openai', 'deepgram', 'cartesia', 'elevenlabs', 'google', 'sarvam', 'custom']),
    );
    expect(findModel('custom/Llama-3', 'llm')).toMatchObject({ slug: 'custom/llama-3', model: { voices: 'open' } });
    expect(findModel('custom/llama-3', 'realtime')).toMatchObject({ slug: 'custom/llama-3' });
    expect(findModel('custom/llama-3', 'turn-detection')).toBe('WRONG_MODEL_KIND');
  });

  // shows: model.slug
  test('finds every model by its slug in any casing, in the slot of its kind and in no other', () => {
    for (const { provider, model } of all) {
      expect(findModel(`${provider.id}/${model.id}`.toUpperCase(), model.kind)).toMatchObject({ model });
    }
    expect(findModel('deepgram/nova-3', 'tts')).toBe('WRONG_MODEL_KIND');
  });

  test('names each model of a kind once per provider', () => {
    const slugs = all.map(({ provider, model }) => `${provider.id}/${model.id} ${model.kind}`);
    expect(slugs).toHaveLength(new Set(slugs).size);
  });

  test('speaks only languages that the service knows', () => {
    const codes = all.flatMap(({ model }) => (model.languages === 'any' ? [] : model.languages));
    expect(codes.filter((code) => languageCoded(code) === undefined)).toEqual([]);
  });

  test('has a model of every kind', () => {
    for (const kind of ['stt', 'llm', 'tts', 'realtime', 'turn-detection', 'noise-cancellation'] as const) {
      expect(modelProviders.some((provider) => modelsOfKind(provider, kind).length > 0)).toBe(true);
    }
  });

  test("has the service's own defaults", () => {
    const env = readEnv({});
    expect(findModel(env.OUTDIAL_DEFAULT_STT, 'stt')).toHaveProperty('slug');
    expect(findModel(env.OUTDIAL_DEFAULT_LLM, 'llm')).toHaveProperty('slug');
    expect(findModel(env.OUTDIAL_DEFAULT_TTS, 'tts')).toHaveProperty('slug');
  });
});

describe('languages', () => {
  test('each has a name of its own in lower case and a code of its own', () => {
    expect(languages.map(({ name }) => name.toLowerCase())).toEqual(languages.map(({ name }) => name));
    expect(new Set(languages.map(({ name }) => name)).size).toBe(languages.length);
    expect(new Set(languages.map(({ code }) => code)).size).toBe(languages.length);
  });

  test('are found by name in any casing, and not by code', () => {
    expect(languageNamed('HINDI')?.code).toBe('hi');
    expect(languageNamed('hi')).toBeUndefined();
  });

  // shows: model.language
  test('know their variants in any casing', () => {
    const english = languageNamed('english')!;
    expect(variantOf(english, 'EN-in')).toBe('en-IN');
    expect(variantOf(english, 'en')).toBe('en');
    expect(variantOf(english, 'hi-IN')).toBeUndefined();
  });
});
