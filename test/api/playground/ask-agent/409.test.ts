import { expect, test } from 'vitest';
import { fakeLanguageModel } from '../../../workflow/language-model.js';
import { anotherApp } from '../../support.js';
import { aTriedAgent, withSettings, write } from '../support.js';

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
