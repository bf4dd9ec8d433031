import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { anAgent, minimal } from '../support.js';

const problem = (path: string, code: string) => ({ path, code, message: expect.any(String) });

// shows: agents.update.400
test('a config that is wrong in several ways names all of them, the label too, and stores no version', async () => {
  const { agentId, versionId } = await anAgent();

  const response = await api.put(`/v1/agents/${agentId}`, { languages: { xx: { prompt: 'x' } }, versionName: 5 });

  expect(response).toMatchObject({ status: 400 });
  expect(response.body).toEqual({
    status: 'error',
    errors: [
      problem('languages.xx', 'UNKNOWN_LANGUAGE'),
      problem('name', 'REQUIRED'),
      problem('versionName', 'INVALID_TYPE'),
    ],
  });
  expect(await api.get(`/v1/agents/${agentId}`)).toMatchObject({ body: { versionId, config: minimal } });
});

// shows: model.api-key-full
test('a config that was read and sent back is refused where its keys are masked', async () => {
  const languages = {
    english: { prompt: 'x', tts: [{ model: 'cartesia/sonic-3', voice: 'v', apiKey: 'cartesia-key' }] },
  };
  const { agentId, config } = await anAgent({ ...minimal, languages });

  expect(await api.put(`/v1/agents/${agentId}`, config)).toMatchObject({
    status: 400,
    body: { errors: [problem('languages.english.tts[0].apiKey', 'MASKED_API_KEY')] },
  });
});

test('an id with NUL, which PostgreSQL does not take, is refused like any that is unknown', async () => {
  const { agentId } = await anAgent();

  const response = await api.put(`/v1/agents/${agentId}`, { ...minimal, tools: ['tool\0'], knowledgeBaseIds: ['\0'] });

  expect(response.status).toBe(400);
});
