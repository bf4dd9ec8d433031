import { expect, test } from 'vitest';
import { AgentConfig } from '../../../domain/agent-config/schema.js';
import { validateAgentConfig } from '../../../domain/agent-config/validate.js';
import { maskKey } from '../../../domain/agent/masked-key.js';
import { complete, context, minimal } from './agent-config-examples.js';

function stored(input: unknown) {
  const result = validateAgentConfig(input, context);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result;
}

// shows: config.default-language
test('names are resolved: languages to their canonical name, slugs and providers to lower case', () => {
  const { config } = stored(complete);
  expect(config.defaultLanguage).toBe('hindi');
  expect(Object.keys(config.languages)).toEqual(['english', 'hindi']);
  expect(config.languages.english?.stt?.map(({ model }) => model)).toEqual([
    'deepgram/nova-3',
    'openai/gpt-4o-transcribe',
  ]);
  expect(config.voiceProcessing?.noiseCancellation).toEqual({ model: 'rnnoise/rnnoise' });
  expect(config.callSummary?.llm?.model).toBe('openai/gpt-4.1');
});

// shows: model.order, validation.nothing-added
test('nothing is added: what was left out stays left out, empty lists stay empty, and null means left out', () => {
  expect(stored(minimal).config).toEqual(minimal);
  const sent = { ...minimal, tools: [], knowledgeBaseIds: null, voiceProcessing: { vad: null }, callSummary: {} };
  expect(stored(sent).config).toEqual({ ...minimal, tools: [], voiceProcessing: {}, callSummary: {} });
});

// shows: block.realtime, validation.realtime
test('beside a realtime model the other three slots are dropped', () => {
  const block = { prompt: 'x', realtime: [{ model: 'openai/gpt-realtime' }], stt: 'x', llm: [5], tts: null };
  const { config } = stored({ name: 'x', languages: { english: block } });
  expect(config.languages).toEqual({ english: { prompt: 'x', realtime: [{ model: 'openai/gpt-realtime' }] } });
});

// shows: config.advanced, advanced.known
test('what the service does not know inside advanced is kept as it came, nulls included', () => {
  const advanced = { beep: null, list: [null, { a: null }], voicemail: { action: 'ignore', message: null, x: null } };
  const { config } = stored({ ...minimal, advanced });
  expect(config.advanced).toEqual({ ...advanced, voicemail: { action: 'ignore', x: null } });
});

test('keys leave the config for the list of secrets, by their path in what is stored', () => {
  const { config, secrets } = stored(complete);
  expect(secrets).toEqual([
    { path: 'languages.english.llm[0].apiKey', value: 'sk-live-12345678' },
    { path: 'languages.english.tts[0].apiKey', value: 'cart' },
    { path: 'callSummary.llm.apiKey', value: 'sk-summary-9999' },
    { path: 'analysis.model.apiKey', value: 'sk-analysis-8888' },
  ]);
  expect(config.languages.english?.llm?.[0]?.apiKey).toBe('••••5678');
  expect(config.languages.english?.tts?.[0]?.apiKey).toBe('••••');
  expect(config.callSummary?.llm?.apiKey).toBe('••••9999');
  expect(config.analysis?.model).toEqual({ model: 'openai/gpt-4.1', apiKey: '••••8888' });
});

test('a stored config has the shape that the schema gives to responses, and the input is left as it was', () => {
  const before = structuredClone(complete);
  expect(AgentConfig.parse(stored(complete).config)).toEqual(stored(complete).config);
  expect(complete).toEqual(before);
});

// shows: model.api-key-masked, validation.masks
test.each([
  ['k', '••••'],
  ['1234', '••••'],
  ['12345', '••••2345'],
  ['sk-😀😀😀😀', '••••😀😀😀😀'],
])('the key %s is shown as %s', (key, shown) => {
  expect(maskKey(key)).toBe(shown);
});
