import { describe, expect, test } from 'vitest';
import { api } from '../support.js';
import { anAgent, aVersion, minimal } from './support.js';

describe('200', () => {
  // shows: agents.versions
  test('a version stays as it was saved, whatever is saved after it', async () => {
    const { agentId, versionId } = await anAgent();
    const second = await aVersion(agentId, { name: 'Second', versionName: 'Two' });

    const [first, latest] = [
      await api.get(`/v1/agents/${agentId}/versions/${versionId}`),
      await api.get(`/v1/agents/${agentId}/versions/${second}`),
    ];

    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      versionId,
      versionName: 'Created via API',
      agentId,
      number: 1,
      isDeployed: false,
      createdAt: expect.any(String),
      config: minimal,
    });
    expect(latest.body).toMatchObject({ versionName: 'Two', number: 2, config: { name: 'Second' } });
  });

  test('provider keys are masked', async () => {
    const llm = [{ model: 'openai/gpt-4.1', apiKey: 'sk-0123456789abcdef' }];
    const { agentId, versionId } = await anAgent({ name: 'x', languages: { english: { prompt: 'Hi', llm } } });

    const { text, body } = await api.get(`/v1/agents/${agentId}/versions/${versionId}`);

    expect(text).not.toContain('0123456789');
    expect(body).toMatchObject({
      config: { languages: { english: { llm: [{ apiKey: expect.stringMatching(/•cdef$/) }] } } },
    });
  });
});

describe('404', () => {
  test("a version of another agent is none of this one's", async () => {
    const [one, other] = [await anAgent(), await anAgent()];
    const response = await api.get(`/v1/agents/${one.agentId}/versions/${other.versionId}`);
    expect(response).toMatchObject({ status: 404, body: { error: 'Version not found' } });
  });
});
