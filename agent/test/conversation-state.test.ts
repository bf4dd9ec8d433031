import { expect, test } from 'vitest';
import { afterFailure, beginConversation, firstWordsOf, nextConversation } from '../conversation/conversation-state.js';
import type { LanguagePlan, ModelChoice, SessionPlan } from '../../domain/session-plan/types.js';

const model = (name: string): ModelChoice => ({
  provider: 'openai',
  model: name,
  voice: null,
  language: 'en',
  keyPath: null,
});
const language = (name: string, realtime: readonly string[]): LanguagePlan => ({
  name,
  code: 'en',
  instructions: '',
  greeting: { text: 'Hello.', interruptible: true, isShared: true },
  speech:
    realtime.length === 0
      ? { kind: 'pipeline', stt: [model('hears')], llm: [model('thinks')], tts: [model('speaks')] }
      : { kind: 'realtime', models: realtime.map(model) },
  turn: { detector: 'vad', threshold: null, endpointing: 'fixed', minWaitMs: null, maxWaitMs: null },
  wakeUp: null,
  endCall: null,
});
const [english, german, spanish] = [
  language('English', ['a', 'b']),
  language('German', []),
  language('Spanish', ['c']),
];
const plan = {
  language: 'German',
  languages: [english, german, spanish],
  disclosure: 'This call is made by a machine.',
} as unknown as SessionPlan;

test('a conversation begins in the language of its plan', () => {
  expect(beginConversation(plan).language.name).toBe('German');
  expect(() => beginConversation({ ...plan, languages: [] })).toThrow('no language');
});

test('a realtime model that fails is followed by the next of its language, until none is left', () => {
  const first = { language: english, realtimeIndex: 0, heard: true };
  const second = nextConversation(first, { type: 'model_failed' });
  expect(second).toEqual({ language: english, realtimeIndex: 1, heard: true });
  expect(nextConversation(second, { type: 'model_failed' })).toBe(second);
});

test('a pipeline has its fallbacks inside its models: none takes over when it fails', () => {
  const state = beginConversation(plan);
  expect(nextConversation(state, { type: 'model_failed' })).toBe(state);
});

test('another language begins with its own first model, and the callee has still heard the agent', () => {
  const state = { language: english, realtimeIndex: 1, heard: true };
  expect(nextConversation(state, { type: 'language_changed', language: spanish })).toEqual({
    language: spanish,
    realtimeIndex: 0,
    heard: true,
  });
});

test('the disclosure comes before the greeting and cannot be interrupted', () => {
  expect(firstWordsOf(plan, english)).toEqual([
    { text: 'This call is made by a machine.', interruptible: false, isShared: true },
    { text: 'Hello.', interruptible: true, isShared: true },
  ]);
  expect(firstWordsOf({ ...plan, disclosure: null }, { ...english, greeting: null })).toEqual([]);
});

test('after a failure the first words are said again only if the callee has not heard the agent', () => {
  const state = beginConversation(plan);
  const firstWords = firstWordsOf(plan, german);
  expect(afterFailure(state, firstWords)).toBe('first_words');
  expect(afterFailure(nextConversation(state, { type: 'agent_spoke' }), firstWords)).toBe('go_on');
  expect(afterFailure(state, [])).toBe('go_on');
});
