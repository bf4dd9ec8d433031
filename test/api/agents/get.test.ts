import { describe, expect, test } from 'vitest';
import { anAccount, api } from '../support.js';
import { anAgent, minimal } from './support.js';

describe('200', () => {
  // shows: agent.fields, agents.get
  test('an agent is answered with the config of its latest version, or of the one asked for', async () => {
    const first = await anAgent();
    const updated = await api.put(`/v1/agents/${first.agentId}`, { ...minimal, name: 'Second' });
    const { versionId } = updated.body as { versionId: string };

    const latest = await api.get(`/v1/agents/${first.agentId}`);
    const older = await api.get(`/v1/agents/${first.agentId}?versionId=${first.versionId}`);

    expect(latest).toMatchObject({ status: 200, body: { name: 'Second', versionId, config: { name: 'Second' } } });
    expect(older).toMatchObject({ status: 200, body: { name: 'Second', versionId: first.versionId, config: minimal } });
  });

  // shows: agent.playground
  test('reading an agent twice gives the same answer, languages in the order in which they were sent', async () => {
    const languages = { vietnamese: { prompt: 'x' }, thai: { prompt: 'y' }, english: { prompt: 'z' } };
    const { agentId } = await anAgent({ name: 'x', languages });

    const { body, text } = await api.get(`/v1/agents/${agentId}`);

    expect(Object.keys((body as { config: { languages: object } }).config.languages)).toEqual(Object.keys(languages));
    expect((await api.get(`/v1/agents/${agentId}`)).text).toBe(text);
  });
});

describe('404', () => {
  // shows: errors.agent-404
  test("another account's agent is not found, in the words of one that never was", async () => {
    const { agentId, versionId } = await anAgent();
    const { token } = await anAccount();

    const foreign = await api.get(`/v1/agents/${agentId}`, { token });
    const missing = await api.get('/v1/agents/agt_01990000-0000-7000-8000-000000000000', { token });

    expect(foreign).toMatchObject({ status: 404, body: { error: 'Agent not found' } });
    expect(missing.text).toBe(foreign.text);
    expect(await api.get(`/v1/agents/${agentId}?versionId=${versionId}`, { token })).toMatchObject({ status: 404 });
  });

  test.each(['nonsense', '%00', '..', 'agt_', 'é'])('there is no agent %s', async (id) => {
    const { status, body } = await api.get(`/v1/agents/${encodeURIComponent(decodeURIComponent(id))}`);
    expect([400, 404]).toContain(status);
    expect(body).toEqual({ error: expect.any(String) });
  });

  test("a version of another agent is none of this one's", async () => {
    const [one, other] = [await anAgent(), await anAgent()];
    const response = await api.get(`/v1/agents/${one.agentId}?versionId=${other.versionId}`);
    expect(response).toMatchObject({ status: 404, body: { error: 'Version not found' } });
  });
});
