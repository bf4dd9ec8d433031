import { expect, test } from 'vitest';
import { differencesOf } from '../../../cli/client/agent/differences.js';

const stored = {
  name: 'Reminder',
  languages: {
    english: { prompt: 'Remind them.', llm: [{ model: 'openai/a', apiKey: '••••1234' }, { model: 'openai/b' }] },
  },
};

test('two configs that say the same do not differ, whatever the order of their fields', () => {
  const { name, languages } = structuredClone(stored);
  expect(differencesOf(stored, { languages, name })).toEqual([]);
});

test('each place that differs is named with what stands there before and after, omitted if there is nothing', () => {
  const file = structuredClone(stored);
  file.languages.english.prompt = 'Ask them.';
  file.languages.english.llm = [{ model: 'openai/c', apiKey: 'sk-other' }];
  expect(differencesOf(stored, { ...file, tools: ['x'] })).toEqual([
    { path: 'languages.english.prompt', before: 'Remind them.', after: 'Ask them.' },
    { path: 'languages.english.llm.0.model', before: 'openai/a', after: 'openai/c' },
    { path: 'languages.english.llm.1', before: { model: 'openai/b' } },
    { path: 'tools', after: ['x'] },
  ]);
});

test('a key that is shown masked is no difference, but a missing one is', () => {
  expect(differencesOf({ apiKey: '••••1234' }, { apiKey: 'sk-any' })).toEqual([]);
  expect(differencesOf({ apiKey: '••••1234' }, {})).toEqual([{ path: 'apiKey', before: '••••1234' }]);
});

test('a list and an object at one place are a difference of the whole', () => {
  expect(differencesOf({ a: [1] }, { a: { 0: 1 } })).toEqual([{ path: 'a', before: [1], after: { 0: 1 } }]);
});
