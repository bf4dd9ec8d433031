import { describe, expect, test } from 'vitest';
import { secretPlaces } from '../../../../domain/account/secret-places.js';
import { anotherApp, api, here } from '../../support.js';
import { anAgent, appWithoutTemporal, appWithWorker, minimal } from '../support.js';

describe('201', () => {
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  // shows: agent.fields, agent.first-deploy, agents.create
  test('a new agent that deploys is active, with its deployment, first version, config and playground', async () => {
    const app = await appWithWorker();

    const { status, body } = await api.post('/v1/agents', minimal, { app });

    expect(status).toBe(201);
    expect(body).toEqual({
      agentId: expect.stringMatching(/^agt_/),
      name: 'Reminder',
      status: 'active',
      deploymentId: expect.stringMatching(/^dep_/),
      createdAt: instant,
      updatedAt: instant,
      versionId: expect.stringMatching(/^ver_/),
      config: minimal,
      playgroundUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/playground\/agt_[^#]+#token=/),
    });
  });

  test('an Idempotency-Key gets its first answer again also when what the config names has been deleted since', async () => {
    const { database, me } = here();
    const id = 'tool_0198f6f2-0a1b-7c2d-8e3f-405162738495';
    await database.db
      .insertInto('tools')
      .values({
        ...{ id, account_id: me.account.id, name: 'look_up', description: 'Looks up.', parameters: '{}' },
        ...{ method: 'GET', url: 'https://example.com', timeout_seconds: 5 },
      })
      .execute();
    const options = { app: await appWithoutTemporal(), headers: { 'idempotency-key': 'a lost answer' } };
    const create = () => api.post('/v1/agents', { ...minimal, tools: [id] }, options);
    const first = await create();
    expect(first.status).toBe(201);
    await database.db.deleteFrom('tools').where('id', '=', id).execute();
    expect(await create()).toMatchObject({ status: 201, body: first.body });
  });

  // shows: agent.first-deploy-fails, everywhere.scalars-omitted, agents.post.late
  test('if the deploy cannot run the agent is inactive, without a deploymentId, and deploys by itself later', async () => {
    const { agentId } = await anAgent();

    expect(await api.get(`/v1/agents/${agentId}`)).toMatchObject({ body: { status: 'inactive' } });
    expect((await api.get(`/v1/agents/${agentId}`)).body).not.toHaveProperty('deploymentId');

    await api.post('/v1/agents', minimal, { app: await appWithWorker() });
    await expect.poll(() => api.get(`/v1/agents/${agentId}`)).toMatchObject({ body: { status: 'active' } });
  });

  // shows: agents.post.waits
  test('a deploy that takes too long is not waited for', async () => {
    const asked = performance.now();
    const { status, body } = await api.post('/v1/agents', minimal);

    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'inactive' });
    expect(performance.now() - asked).toBeGreaterThan(4_000);
  });

  // shows: agents.post.waits
  test('a failed deploy answers at once', async () => {
    const { database } = here();
    const fail = () =>
      void database.db
        .updateTable('deployments')
        .set({ status: 'failed', reason: 'no key' })
        .where('status', '=', 'pending')
        .execute();
    const app = await anotherApp({ temporal: { kick: fail, isReachable: () => Promise.resolve(true) } });
    const asked = performance.now();

    expect(await api.post('/v1/agents', minimal, { app })).toMatchObject({ status: 201, body: { status: 'inactive' } });
    expect(performance.now() - asked).toBeLessThan(4_000);
  });

  test('the deploy is written down with the agent, so that it happens whatever becomes of the API', async () => {
    const { agentId, versionId } = await anAgent();
    const { database, me } = here();

    const deployment = await database.db
      .selectFrom('deployments')
      .selectAll()
      .where('agent_id', '=', agentId)
      .executeTakeFirstOrThrow();
    expect(deployment).toMatchObject({
      account_id: me.account.id,
      version_id: versionId,
      region: 'default',
      status: 'pending',
    });
    const outbox = await database.db
      .selectFrom('outbox')
      .selectAll()
      .where('workflow_id', '=', deployment.id)
      .execute();
    expect(outbox).toMatchObject([
      { kind: 'start', name: 'deployAgent', input: { accountId: me.account.id, deploymentId: deployment.id } },
    ]);
  });

  // shows: agent.playground, validation.playground-fragment
  test("the playground's address carries the caller's token in its fragment, under the public URL", async () => {
    const { deps, me } = here();
    const app = await anotherApp({
      env: { ...deps.env, OUTDIAL_PUBLIC_URL: 'https://voice.example.com/' },
      temporal: { kick: () => undefined, isReachable: () => Promise.resolve(false) },
    });

    const { body } = await api.post('/v1/agents', minimal, { app });

    const { agentId, playgroundUrl } = body as { agentId: string; playgroundUrl: string };
    expect(playgroundUrl).toBe(`https://voice.example.com/playground/${agentId}#token=${me.token}`);
    expect((await api.get(`/v1/agents/${agentId}`)).body).not.toHaveProperty('playgroundUrl');
  });

  // shows: agent.names-resolved
  test('names are resolved, nothing is added, and languages keep their order', async () => {
    const { config } = await anAgent({
      name: 'Bilingual',
      defaultLanguage: null,
      languages: {
        Tamil: { prompt: 'x', stt: [{ model: 'Sarvam/Saaras:v3' }], wakeUp: null },
        HINDI: { prompt: 'y', realtime: [{ model: 'openai/gpt-realtime' }], tts: 'never read' },
      },
    });

    expect(config).toEqual({
      name: 'Bilingual',
      languages: {
        tamil: { prompt: 'x', stt: [{ model: 'sarvam/saaras:v3' }] },
        hindi: { prompt: 'y', realtime: [{ model: 'openai/gpt-realtime' }] },
      },
    });
  });

  // shows: model.api-key-masked, auth.provider-keys, validation.sealed
  test("a provider's key is answered masked and stored sealed, and is nowhere else in the database", async () => {
    const secret = 'sk-live-abcdefgh1234';
    const { config, versionId } = await anAgent({
      name: 'Own key',
      languages: {
        English: {
          prompt: 'x',
          llm: [
            { model: 'openai/gpt-5', apiKey: secret },
            { model: 'openai/gpt-4o', apiKey: 'four' },
          ],
        },
      },
    });
    const { database, deps } = here();

    expect(config).toMatchObject({ languages: { english: { llm: [{ apiKey: '••••1234' }, { apiKey: '••••' }] } } });
    const sealed = await database.db
      .selectFrom('agent_version_secrets')
      .selectAll()
      .where('version_id', '=', versionId)
      .orderBy('path')
      .execute();
    const opened = sealed.map(({ account_id, path, secret_sealed }) => [
      path,
      deps.secretBox.open(secret_sealed, secretPlaces.agentKey(account_id, versionId, path)),
    ]);
    expect(opened).toEqual([
      ['languages.english.llm[0].apiKey', secret],
      ['languages.english.llm[1].apiKey', 'four'],
    ]);
    for (const table of ['agents', 'agent_versions', 'agent_version_secrets', 'deployments', 'outbox'] as const) {
      const rows = await database.db.selectFrom(table).selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(secret);
    }
  });

  // shows: validation.limits
  test('a name of 256 characters and a prompt of 100,000 are taken', async () => {
    const config = { name: 'n'.repeat(256), languages: { english: { prompt: 'p'.repeat(100_000) } } };
    expect((await anAgent(config)).config).toEqual(config);
  });

  test('two agents may have one name', async () => {
    const app = await appWithoutTemporal();
    const [one, other] = [await anAgent(minimal, { app }), await anAgent(minimal, { app })];
    expect(one.agentId).not.toBe(other.agentId);
  });
});
