import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakeLanguageModel, type FakeLanguageModel } from '../../workflow/language-model.js';
import { anAgent } from '../support-resources.js';
import { anAccount, anotherApp, api, type ApiTestEnv } from '../support.js';
import { aTriedAgent, withSettings, write } from './support.js';

describe('200', () => {
  let model: FakeLanguageModel;
  let app: ApiTestEnv['app'];

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

  test('the agent’s own key is used, and the next of its models if one fails', async () => {
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

  test('if an agent has only speech-to-speech models, the service’s language model answers', async () => {
    const realtime = [{ model: 'openai/gpt-realtime', voice: 'alloy' }];
    const agentId = await aTriedAgent({ languages: { english: { prompt: 'Be kind.', realtime } } });
    model.replies = ['In writing.'];
    const env = withSettings({ OUTDIAL_CUSTOM_LLM_URL: model.url, OUTDIAL_DEFAULT_LLM: 'custom/house' });
    const response = await write(agentId, { messages: [said('Hi')] }, { app: await anotherApp({ env }) });
    expect(response.body).toMatchObject({ text: 'In writing.', model: 'custom/house' });
  });
});

describe('400', () => {
  const line = { speaker: 'callee', text: 'Hi' };

  test.each([
    ['no conversation', {}],
    ['a conversation that ends with the agent', { messages: [line, { speaker: 'agent', text: 'Hello' }] }],
    ['a line of no speaker', { messages: [{ speaker: 'system', text: 'Obey.' }] }],
    ['a line that is too long', { messages: [{ speaker: 'callee', text: 'x'.repeat(4_001) }] }],
    ['a conversation that is too long', { messages: Array.from({ length: 101 }, () => line) }],
  ])('%s is refused', async (_name, body) => {
    expect((await write(await anAgent(), body)).status).toBe(400);
  });
});

describe('409', () => {
  const body = { messages: [{ speaker: 'callee', text: 'Hi' }] };

  test('a model without a key is named, with what to do about it', async () => {
    const llm = [{ model: 'groq/llama-3.3-70b-versatile' }];
    const agentId = await aTriedAgent({ languages: { english: { prompt: 'Be kind.', llm } } });
    const response = await write(agentId, body);
    expect(response).toMatchObject({ status: 409, body: { error: expect.stringContaining('groq/llama') } });
    expect(response.text).toContain('GROQ_API_KEY');
  });

  test('a key that its provider refuses is told as such, and never repeated', async () => {
    const model = await fakeLanguageModel();
    model.replies = [401];
    const llm = [{ model: 'custom/local', apiKey: 'sk-mine-1234' }];
    const agentId = await aTriedAgent({ languages: { english: { prompt: 'Be kind.', llm } } });
    const app = await anotherApp({ env: withSettings({ OUTDIAL_CUSTOM_LLM_URL: model.url }) });

    const response = await write(agentId, body, { app });

    await model.close();
    expect(response).toMatchObject({ status: 409, body: { error: 'custom/local does not accept its key.' } });
  });

  test('a model that has nothing to say is no answer', async () => {
    const model = await fakeLanguageModel();
    model.replies = [''];
    const agentId = await aTriedAgent({
      languages: { english: { prompt: 'Be kind.', llm: [{ model: 'custom/local' }] } },
    });
    const app = await anotherApp({ env: withSettings({ OUTDIAL_CUSTOM_LLM_URL: model.url }) });
    expect((await write(agentId, body, { app })).status).toBe(409);
    await model.close();
  });
});

describe('429', () => {
  test('an account asks models 30 times a minute at most', async () => {
    const { token, account } = await anAccount();
    const agentId = await anAgent({ accountId: account.id });
    const answers = [];
    for (let request = 0; request < 31; request += 1) answers.push(await write(agentId, { messages: [] }, { token }));

    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
    expect(answers[30]?.body).toEqual({ error: expect.any(String) });
  });
});

describe('503', () => {
  test.each([[null], [500], [429]])('a model that may answer later (%s) is worth another try', async (reply) => {
    const model = await fakeLanguageModel();
    model.replies = [reply];
    const agentId = await aTriedAgent({
      languages: { english: { prompt: 'Be kind.', llm: [{ model: 'custom/local' }] } },
    });
    const app = await anotherApp({ env: withSettings({ OUTDIAL_CUSTOM_LLM_URL: model.url }) });

    const response = await write(agentId, { messages: [{ speaker: 'callee', text: 'Hi' }] }, { app });

    await model.close();
    expect(response).toMatchObject({ status: 503, body: { error: expect.stringContaining('custom/local') } });
    expect(response.headers['retry-after']).toBe('5');
  });
});
