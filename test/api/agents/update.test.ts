import { describe, expect, test } from 'vitest';
import { secretPlaces } from '../../../domain/account/secret-places.js';
import { anAccount, api, here } from '../support.js';
import { type AgentAnswer, anAgent, appWithWorker, minimal } from './support.js';

describe('200', () => {
  const versionsOf = (agentId: string) =>
    here()
      .database.db.selectFrom('agent_versions')
      .select(['id', 'number', 'name', 'config'])
      .where('agent_id', '=', agentId)
      .orderBy('number')
      .execute();

  // shows: config.update-replaces
  test('an update replaces the whole config: what it leaves out is dropped', async () => {
    const { agentId, versionId } = await anAgent({
      ...minimal,
      tools: [],
      advanced: { a: 1 },
      callSummary: { enabled: true },
    });

    const { status, body } = await api.put(`/v1/agents/${agentId}`, { ...minimal, name: 'New name' });

    expect(status).toBe(200);
    expect(body).toEqual({
      agentId,
      name: 'New name',
      status: 'inactive',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      versionId: expect.stringMatching(/^ver_/),
      config: { ...minimal, name: 'New name' },
    });
    expect(body).not.toHaveProperty('versionId', versionId);
  });

  // shows: agents.update.version-name, agents.update.new-version, versions.every-update
  test('every update is a version with a number and a label of its own, and the ones before stay as they were', async () => {
    const { agentId, config } = await anAgent();

    await api.put(`/v1/agents/${agentId}`, { ...minimal, name: 'Two' });
    await api.put(`/v1/agents/${agentId}`, { ...minimal, name: 'Three', versionName: 'Third time lucky' });

    const versions = await versionsOf(agentId);
    expect(versions).toMatchObject([
      { number: 1, name: 'Created via API', config },
      { number: 2, name: 'Updated via API', config: { name: 'Two' } },
      { number: 3, name: 'Third time lucky', config: { name: 'Three' } },
    ]);
    expect(versions[2]?.config).not.toHaveProperty('versionName');
  });

  // shows: agent.update-keeps-status
  test('what runs is left alone: status and deployment stay, and no deploy is asked for', async () => {
    const app = await appWithWorker();
    const created = (await api.post('/v1/agents', minimal, { app })).body as AgentAnswer & { deploymentId: string };

    const { body } = await api.put(`/v1/agents/${created.agentId}`, { ...minimal, name: 'Later' }, { app });

    expect(body).toMatchObject({ status: 'active', deploymentId: created.deploymentId });
    const deployments = await here()
      .database.db.selectFrom('deployments')
      .select(['id', 'version_id', 'status'])
      .where('agent_id', '=', created.agentId)
      .execute();
    expect(deployments).toEqual([{ id: created.deploymentId, version_id: created.versionId, status: 'live' }]);
  });

  test('updates at the same time all become versions, and the latest is the last', async () => {
    const { agentId } = await anAgent();

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => api.put(`/v1/agents/${agentId}`, { ...minimal, name: `Name ${index}` })),
    );

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const versions = await versionsOf(agentId);
    expect(versions.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await api.get(`/v1/agents/${agentId}`)).toMatchObject({ body: { versionId: versions.at(-1)?.id } });
  });

  test('keys are sealed again with each version, under the paths of its own config', async () => {
    const llm = (apiKey: string) => ({
      ...minimal,
      languages: { english: { prompt: 'x', llm: [{ model: 'openai/gpt-5', apiKey }] } },
    });
    const { agentId } = await anAgent(llm('sk-the-first-one'));

    const { body } = await api.put(`/v1/agents/${agentId}`, llm('sk-the-second-one'));

    const { versionId, config } = body as AgentAnswer;
    expect(config).toMatchObject({ languages: { english: { llm: [{ apiKey: '••••-one' }] } } });
    const { database, deps } = here();
    const secrets = await database.db
      .selectFrom('agent_version_secrets')
      .selectAll()
      .where('version_id', '=', versionId)
      .execute();
    const opened = secrets.map(({ account_id, path, secret_sealed }) =>
      deps.secretBox.open(secret_sealed, secretPlaces.agentKey(account_id, versionId, path)),
    );
    expect(opened).toEqual(['sk-the-second-one']);
  });

  test('updatedAt moves on', async () => {
    const { agentId, updatedAt } = await anAgent();
    const { body } = await api.put(`/v1/agents/${agentId}`, minimal);
    expect(Date.parse((body as AgentAnswer).updatedAt)).toBeGreaterThan(Date.parse(updatedAt));
  });

  test('who created and updated an agent is in the audit log', async () => {
    const { agentId } = await anAgent();
    await api.put(`/v1/agents/${agentId}`, minimal);

    const entries = await here()
      .database.db.selectFrom('audit_log')
      .select(['action', 'account_id'])
      .where('target', '=', agentId)
      .orderBy('id')
      .execute();
    const { id } = here().me.account;
    expect(entries).toEqual([
      { action: 'agent.create', account_id: id },
      { action: 'agent.update', account_id: id },
    ]);
  });
});

describe('400', () => {
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
  test('a config that was read and sent back is refused if its keys are masked', async () => {
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

    const response = await api.put(`/v1/agents/${agentId}`, {
      ...minimal,
      tools: ['tool\0'],
      knowledgeBaseIds: ['\0'],
    });

    expect(response.status).toBe(400);
  });
});

describe('404', () => {
  // shows: agents.update.404
  test("another account's agent is not found and not changed, whether the config is valid or not", async () => {
    const { agentId, versionId } = await anAgent();
    const { token } = await anAccount();

    for (const body of [{ ...minimal, name: 'Taken over' }, {}]) {
      const response = await api.put(`/v1/agents/${agentId}`, body, { token });
      expect(response).toMatchObject({ status: 404, body: { error: 'Agent not found' } });
    }
    expect(await api.get(`/v1/agents/${agentId}`)).toMatchObject({ body: { name: 'Reminder', versionId } });
  });
});
