import { expect, test } from 'vitest';
import { resolveDefaults, type ModelDefaults } from '../../../domain/agent-config/defaults.js';
import { deployProblems, type DeployCircumstances } from '../../../domain/agent-config/deploy-problems.js';
import { unfilledPlaceholders } from '../../../domain/agent-config/placeholders.js';
import { AgentConfig } from '../../../domain/agent-config/schema.js';
import { complete, minimal } from './agent-config-examples.js';

const defaults: ModelDefaults = {
  stt: 'deepgram/nova-3',
  llm: 'openai/gpt-4.1-mini',
  tts: 'Cartesia/sonic-2',
  ttsVoice: 'v1',
};
const fine: DeployCircumstances = {
  serviceKeys: new Set(['deepgram', 'openai', 'cartesia']),
  customKinds: new Set(),
  hasActiveKey: true,
  simulated: false,
  region: 'default',
  agents: 'served',
};
const problems = (config: AgentConfig, circumstances: Partial<DeployCircumstances> = {}, models = defaults): string[] =>
  deployProblems(resolveDefaults(config, models), { ...fine, ...circumstances });

// shows: deploy.defaults
test('a config with only a prompt takes the models of the service', () => {
  const resolved = resolveDefaults(minimal, defaults);
  expect(resolved).toEqual({
    ...minimal,
    defaultLanguage: 'english',
    languages: {
      english: {
        ...minimal.languages.english,
        stt: [{ model: 'deepgram/nova-3' }],
        llm: [{ model: 'openai/gpt-4.1-mini' }],
        tts: [{ model: 'cartesia/sonic-2', voice: 'v1' }],
      },
    },
  });
  expect(problems(minimal)).toEqual([]);
});

test('an empty slot is filled like one left out, and a slot with a model is kept', () => {
  const languages = { english: { prompt: 'x', stt: [], tts: [{ model: 'openai/tts-1', voice: 'nova' }] } };
  expect(resolveDefaults({ name: 'x', languages }, defaults).languages.english).toMatchObject({
    stt: [{ model: 'deepgram/nova-3' }],
    tts: [{ model: 'openai/tts-1', voice: 'nova' }],
  });
});

test('a realtime model needs no other, and a greeting can be interrupted unless it says otherwise', () => {
  const block = { prompt: 'x', realtime: [{ model: 'openai/gpt-realtime' }], greeting: { text: 'Hello' } };
  const resolved = resolveDefaults({ name: 'x', languages: { english: block } }, defaults);
  expect(resolved.languages.english).toEqual({ ...block, greeting: { text: 'Hello', interruptible: true } });
});

// shows: validation.default-language, language.call
test.each([
  [['hindi', 'english'], undefined, 'english'],
  [['hindi', 'french'], undefined, 'hindi'],
  [['hindi', 'english'], 'hindi', 'hindi'],
])('of %j with default %s a call speaks %s', (names, defaultLanguage, spoken) => {
  const languages = Object.fromEntries(names.map((name) => [name, { prompt: 'x' }]));
  expect(resolveDefaults({ name: 'x', languages, defaultLanguage }, defaults).defaultLanguage).toBe(spoken);
});

test('a default voice comes from a fixed list if the model has one, and is asked for if it has none', () => {
  const models = { ...defaults, tts: 'openai/tts-1', ttsVoice: undefined };
  expect(problems(minimal, {}, models)).toEqual([]);
  expect(problems(minimal, {}, { ...defaults, ttsVoice: undefined })).toEqual([
    expect.stringContaining('OUTDIAL_DEFAULT_TTS_VOICE'),
  ]);
});

test('each reason against a deploy is there, and says what to do', () => {
  const found = problems(minimal, {
    hasActiveKey: false,
    agents: 'none',
    serviceKeys: new Set(['openai', 'cartesia']),
  });
  expect(found).toEqual([
    expect.stringContaining('outdial key create'),
    expect.stringContaining('outdial agent'),
    expect.stringMatching(/deepgram\/nova-3 \(languages\.english\.stt\[0\]\).*DEEPGRAM_API_KEY/),
  ]);
});

test.each([
  ['none', /^No agent worker serves the region default\. Start one with `outdial agent`/],
  ['warming', /region default are not ready: none has a process warm yet\. Look at their logs/],
  ['draining', /region default are stopping and take no more calls\. Start one with `outdial agent`/],
] as const)('if the agent workers of the region are %s, that is the reason', (agents, words) => {
  expect(problems(minimal, { agents })).toEqual([expect.stringMatching(words)]);
});

// shows: model.order, model.own-key
test("an apiKey in the config stands in for the service's, for fallbacks and the summary too", () => {
  const config = AgentConfig.parse({
    ...minimal,
    languages: { english: { prompt: 'x', llm: [{ model: 'groq/llama-3.3-70b-versatile', apiKey: '••••5678' }] } },
    callSummary: { enabled: true, llm: { model: 'anthropic/claude-haiku-4-5' } },
  });
  expect(problems(config)).toEqual([expect.stringContaining('ANTHROPIC_API_KEY')]);
  expect(problems({ ...config, callSummary: { ...config.callSummary, enabled: false } })).toEqual([]);
  const schema = { type: 'object' as const, properties: { kept: { type: 'boolean' as const } } };
  const analyzing = {
    ...config,
    callSummary: undefined,
    analysis: { enabled: true, schema, model: config.callSummary?.llm },
  };
  expect(problems(AgentConfig.parse(analyzing))).toEqual([expect.stringContaining('(analysis.model) has no key')]);
});

test('a default model that does not speak the language of a block is named', () => {
  const config = { name: 'x', languages: { zulu: { prompt: 'x' } } };
  expect(problems(config)).toContainEqual(expect.stringContaining('does not work in zulu'));
});

test('a default that is no model of the catalogue is named', () => {
  expect(problems(minimal, {}, { ...defaults, stt: 'deepgram/nova-9' })).toEqual([
    expect.stringContaining('deepgram/nova-9'),
  ]);
});

const customModels = { stt: 'custom/ears', llm: 'custom/brain', tts: 'custom/mouth', ttsVoice: 'anna' };

test('F6: custom models without an address are refused, each with the setting that it lacks', () => {
  expect(problems(minimal, {}, customModels)).toEqual([
    expect.stringMatching(/^custom\/ears \(languages\.english\.stt\[0\]\) has no address\. Set OUTDIAL_CUSTOM_STT_URL/),
    expect.stringMatching(/^custom\/brain .*OUTDIAL_CUSTOM_LLM_URL/),
    expect.stringMatching(/^custom\/mouth .*OUTDIAL_CUSTOM_TTS_URL/),
  ]);
  const language = { english: { prompt: 'x', realtime: [{ model: 'custom/live' }] } };
  expect(problems({ name: 'x', languages: language }, {}, customModels)).toEqual([
    expect.stringContaining('OUTDIAL_CUSTOM_LLM_URL'),
  ]);
  const summary = { ...minimal, callSummary: { enabled: true, llm: { model: 'custom/writer' } } };
  expect(problems(summary)).toEqual([expect.stringMatching(/^custom\/writer \(callSummary\.llm\) has no address/)]);
});

test('F6: custom models with an address need no key', () => {
  const customKinds = new Set(['stt', 'llm', 'tts', 'realtime'] as const);
  expect(problems(minimal, { customKinds, serviceKeys: new Set() }, customModels)).toEqual([]);
});

test('F6: an OpenAI key alone is enough for an agent whose defaults are OpenAI’s', () => {
  const models = { stt: 'openai/gpt-4o-mini-transcribe', llm: 'openai/gpt-4.1-mini', tts: 'openai/gpt-4o-mini-tts' };
  const serviceKeys = new Set(['openai']);
  expect(problems(minimal, { serviceKeys }, models)).toEqual([]);
  const live = { name: 'x', languages: { english: { prompt: 'x', realtime: [{ model: 'openai/gpt-realtime' }] } } };
  expect(problems(live, { serviceKeys }, models)).toEqual([]);
});

// shows: deploy.simulated
test('a simulated agent needs neither keys of providers nor a worker, but an account with a key', () => {
  const bare = { simulated: true, agents: 'none' as const, serviceKeys: new Set<string>() };
  expect(problems(minimal, bare)).toEqual([]);
  expect(problems(minimal, { ...bare, hasActiveKey: false })).toHaveLength(1);
});

test('placeholders that no column fills are named with their place', () => {
  const config = AgentConfig.parse(complete);
  expect(unfilledPlaceholders(config, new Set(['appointment']))).toEqual([
    { path: 'languages.English.prompt', placeholder: 'name' },
    { path: 'languages.English.greeting.text', placeholder: 'name' },
    { path: 'languages.English.endCall.message', placeholder: 'name' },
    { path: 'languages.hindi.prompt', placeholder: 'name' },
  ]);
  expect(unfilledPlaceholders(config, new Set(['name', 'appointment']))).toEqual([]);
});
