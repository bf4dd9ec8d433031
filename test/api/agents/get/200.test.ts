import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { anAgent, minimal } from '../support.js';

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
