import { describe, expect, test } from 'vitest';
import { rowsOf } from '../support-resources.js';
import { api, here } from '../support.js';
import { aDeploy, agentNow, aLiveAgent, anAgent, aVersion, deploymentsNow, goLiveNow } from './support.js';

describe('202', () => {
  const deploy = (agentId: string, body?: object, headers = {}) =>
    api.post(`/v1/agents/${agentId}/deploy`, body, { headers });

  // shows: agents.deploy
  test.each([[undefined], [{}], [{ versionId: null, region: null }], [{ region: 'auto' }]])(
    'with %j it takes the latest version to the default region, by a workflow of its own',
    async (body) => {
      const { agentId } = await anAgent();
      const versionId = await aVersion(agentId);
      const kicked = here().kicks;

      const response = await deploy(agentId, body);

      expect(response.status).toBe(202);
      expect(response.body).toEqual({
        deploymentId: expect.stringMatching(/^dep_/),
        agentId,
        versionId,
        region: 'default',
        status: 'pending',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      });
      const { deploymentId } = response.body as { deploymentId: string };
      expect(await rowsOf('select kind, name, input from outbox where workflow_id = $1', [deploymentId])).toEqual([
        { kind: 'start', name: 'deployAgent', input: { accountId: here().me.account.id, deploymentId } },
      ]);
      expect(here().kicks).toBeGreaterThan(kicked);
      const audited = await rowsOf("select details from audit_log where target = $1 and action = 'agent.deploy'", [
        agentId,
      ]);
      expect(audited).toEqual([{ details: { deploymentId, versionId, region: 'default' } }]);
    },
  );

  test('an older version can be put live again; what ran before is retired and the agent stays active', async () => {
    const { agentId, versionId } = await aLiveAgent();
    await aVersion(agentId);
    await goLiveNow((await aDeploy(agentId)).deploymentId);

    const back = await aDeploy(agentId, { versionId });
    await goLiveNow(back.deploymentId);

    expect(await agentNow(agentId)).toMatchObject({ status: 'active', deploymentId: back.deploymentId });
    expect((await deploymentsNow(agentId)).map(({ status }) => status)).toEqual(['live', 'retired', 'retired']);
  });

  test('while a deploy is pending, what runs goes on running', async () => {
    const { agentId } = await aLiveAgent();
    const before = await agentNow(agentId);
    await aDeploy(agentId);
    expect(await agentNow(agentId)).toEqual(before);
  });

  // shows: idempotency.every-create
  test('the same key deploys once', async () => {
    const { agentId } = await anAgent();
    const headers = { 'idempotency-key': 'deploy-once' };

    const [first, again] = [await deploy(agentId, {}, headers), await deploy(agentId, {}, headers)];

    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await deploymentsNow(agentId)).toHaveLength(2);
  });

  // shows: deploy.atomic
  test('at every moment of a switch exactly one deployment is live, and it is the one that the agent names', async () => {
    const { agentId } = await aLiveAgent();
    const state = { switching: true };
    const seen = (async () => {
      const answers: object[] = [];
      while (state.switching) {
        answers.push(
          ...(await rowsOf(
            `select (select count(*)::integer from deployments d where d.agent_id = a.id and d.status = 'live') as live,
             exists (select 1 from deployments d where d.id = a.deployment_id and d.status = 'live') as named, a.status
           from agents a where a.id = $1`,
            [agentId],
          )),
        );
      }
      return answers;
    })();

    for (let round = 0; round < 30; round += 1) await goLiveNow((await aDeploy(agentId)).deploymentId);
    state.switching = false;

    const answers = await seen;
    expect(answers.length).toBeGreaterThan(10);
    expect([...new Set(answers.map((answer) => JSON.stringify(answer)))]).toEqual([
      JSON.stringify({ live: 1, named: true, status: 'active' }),
    ]);
  });
});

describe('400', () => {
  test.each([
    [{ region: 'moon' }, ['region', 'INVALID_VALUE']],
    [{ region: 7 }, ['region', 'INVALID_TYPE']],
    [{ versionId: 7 }, ['versionId', 'INVALID_TYPE']],
    [{ version: 'ver_x' }, ['version', 'UNRECOGNIZED_KEY']],
  ])('%j deploys nothing, and the answer names what is wrong', async (body, [path, code]) => {
    const { agentId } = await anAgent();
    const before = await deploymentsNow(agentId);

    const response = await api.post(`/v1/agents/${agentId}/deploy`, body);

    expect(response.status).toBe(400);
    expect(response.body).toEqual({ status: 'error', errors: [{ path, code, message: expect.any(String) }] });
    expect(await deploymentsNow(agentId)).toEqual(before);
  });
});

describe('404', () => {
  test("another agent's version cannot be deployed as this one's", async () => {
    const [one, other] = [await anAgent(), await anAgent()];
    const response = await api.post(`/v1/agents/${one.agentId}/deploy`, { versionId: other.versionId });
    expect(response).toMatchObject({ status: 404, body: { error: 'Version not found' } });
  });
});

describe('409', () => {
  test('of requests with one key at the same time, one deploys', async () => {
    const { agentId } = await anAgent();
    const before = await deploymentsNow(agentId);
    const headers = { 'idempotency-key': 'at the same time' };

    const answers = await Promise.all(
      Array.from({ length: 4 }, () => api.post(`/v1/agents/${agentId}/deploy`, {}, { headers })),
    );

    expect(answers.map(({ status }) => status).filter((status) => status !== 202 && status !== 409)).toEqual([]);
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      expect(body).toEqual({ error: expect.any(String) });
    }
    expect(await deploymentsNow(agentId)).toHaveLength(before.length + 1);
  });
});

describe('422', () => {
  test('a key that deployed one version does not deploy another', async () => {
    const { agentId, versionId } = await anAgent();
    await aVersion(agentId);
    const headers = { 'idempotency-key': 'one' };
    await api.post(`/v1/agents/${agentId}/deploy`, { versionId }, { headers });
    const before = await deploymentsNow(agentId);

    const response = await api.post(`/v1/agents/${agentId}/deploy`, {}, { headers });

    expect(response).toMatchObject({ status: 422, body: { error: expect.any(String) } });
    expect(await deploymentsNow(agentId)).toEqual(before);
  });
});
