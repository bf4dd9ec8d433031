import { expect, test } from 'vitest';
import { fakeLanguageModel } from '../../../workflow/language-model.js';
import { anotherApp } from '../../support.js';
import { aTriedAgent, withSettings, write } from '../support.js';

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
