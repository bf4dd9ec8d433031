import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeLanguageModel, type FakeLanguageModel } from '../../../workflow/language-model.js';
import type { World } from '../../support.js';
import { anotherApp, api } from '../../support.js';
import { aTriedAgent, withSettings, write } from '../support.js';

let model: FakeLanguageModel;
let app: World['app'];

beforeAll(async () => {
  model = await fakeLanguageModel();
  app = await anotherApp({ env: withSettings({ OUTDIAL_CUSTOM_LLM_URL: model.url }) });
});
afterAll(() => model.close());

const said = (text: string) => ({ speaker: 'callee', text });
const english = {
  prompt: 'Remind {{first_name}}.',
  greeting: { text: 'Hello {{first_name}}, it is {{day}}.' },
  llm: [{ model: 'custom/Local' }],
};

test('the agent opens with its greeting, which asks no model, and names what nothing filled', async () => {
  const agentId = await aTriedAgent({ languages: { english } });
  const asked = model.asked.length;
  const response = await write(agentId, { messages: [], metadata: { first_name: 'Asha' } }, { app });
  expect(response).toMatchObject({
    status: 200,
    body: { text: 'Hello Asha, it is .', language: 'english', missing: ['day'] },
  });
  expect(model.asked).toHaveLength(asked);
});

test('what the account has said before every greeting opens the conversation, as in a call', async () => {
  const disclosure = 'This call is made by an artificial voice.';
  await api.put('/v1/account/guardrails', { disclosure });
  const agentId = await aTriedAgent({ languages: { english } });
  const opening = await write(agentId, { messages: [] }, { app });
  expect(opening.body).toMatchObject({ disclosure, text: 'Hello , it is .' });
  expect((await write(agentId, { messages: [said('Hello?')] }, { app })).body).not.toHaveProperty('disclosure');
  await api.put('/v1/account/guardrails', {});
});

test('without a greeting the callee begins', async () => {
  const agentId = await aTriedAgent({ languages: { english: { prompt: 'Be kind.' } } });
  expect((await write(agentId, { messages: [] }, { app })).body).toEqual({
    text: '',
    language: 'english',
    missing: [],
  });
});

test('the model is asked with the prompt, its values, and the conversation so far', async () => {
  const agentId = await aTriedAgent({ languages: { english } });
  model.replies = ['Tuesday then.'];
  const before = model.asked.length;
  const messages = [{ speaker: 'agent', text: 'Hello Asha.' }, said('Tuesday? {{day}}')];

  const response = await write(agentId, { messages, metadata: { first_name: 'Asha', day: 'Monday' } }, { app });

  expect(response.body).toEqual({ text: 'Tuesday then.', language: 'english', model: 'custom/local', missing: [] });
  const [question] = model.asked.slice(before);
  expect(question).toMatchObject({ model: 'local', authorization: 'Bearer none' });
  expect(question?.messages[0]).toMatchObject({ role: 'system', content: expect.stringMatching(/^Remind Asha\./) });
  expect(question?.messages.slice(1)).toEqual([
    { role: 'assistant', content: 'Hello Asha.' },
    { role: 'user', content: 'Tuesday? {{day}}' },
  ]);
});

test('metadata chooses the language, as a row’s does', async () => {
  const hindi = { prompt: 'नमस्ते', greeting: { text: 'नमस्ते।' } };
  const agentId = await aTriedAgent({ languages: { english, hindi } });
  const response = await write(agentId, { messages: [], metadata: { language: 'Hindi' } }, { app });
  expect(response.body).toMatchObject({ text: 'नमस्ते।', language: 'hindi' });
});

test('the agent’s own key is used, and the next of its models where one fails', async () => {
  const llm = [
    { model: 'custom/first', apiKey: 'sk-mine-1234' },
    { model: 'custom/second', apiKey: 'sk-mine-5678' },
  ];
  const agentId = await aTriedAgent({ languages: { english: { ...english, llm } } });
  const before = model.asked.length;
  model.replies = [...Array.from({ length: before }, () => 0), 500, 'Second here.'];

  const response = await write(agentId, { messages: [said('Hi')] }, { app });

  expect(response.body).toMatchObject({ text: 'Second here.', model: 'custom/second' });
  expect(model.asked.slice(before).map(({ authorization }) => authorization)).toEqual([
    'Bearer sk-mine-1234',
    'Bearer sk-mine-5678',
  ]);
});

test('where an agent has only speech-to-speech models, the service’s language model answers', async () => {
  const realtime = [{ model: 'openai/gpt-realtime', voice: 'alloy' }];
  const agentId = await aTriedAgent({ languages: { english: { prompt: 'Be kind.', realtime } } });
  model.replies = ['In writing.'];
  const env = withSettings({ OUTDIAL_CUSTOM_LLM_URL: model.url, OUTDIAL_DEFAULT_LLM: 'custom/house' });
  const response = await write(agentId, { messages: [said('Hi')] }, { app: await anotherApp({ env }) });
  expect(response.body).toMatchObject({ text: 'In writing.', model: 'custom/house' });
});
