import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { deleteAgentRow } from '../../db/queries/agents/delete.js';
import { retireDeployments } from '../../db/queries/agents/deployments.js';
import { secretPlaces } from '../../domain/account/secret-places.js';
import type { RegionService } from '../../domain/agent-config/deploy-problems.js';
import { formatId } from '../../domain/ids.js';
import { aTenant, type Tenant } from './fixtures.js';
import { fakeLanguageModel, type FakeLanguageModel } from './language-model.js';
import { simulatedDeploys, testSecretBox, timeSkippingTestEnv, type TimeSkippingTestEnv } from './test-env.js';

let simulated: TimeSkippingTestEnv;
let real: TimeSkippingTestEnv;
let tenant: Tenant;
beforeAll(async () => {
  simulated = await timeSkippingTestEnv();
  real = await timeSkippingTestEnv({ deploy: { ...simulatedDeploys, simulated: false } });
});
afterAll(async () => {
  await simulated.close();
  await real.close();
});

let testEnv: TimeSkippingTestEnv;
beforeEach(async () => {
  testEnv = simulated;
  tenant = await aTenant(testEnv.database.db);
});

async function aDeployment(region = 'default', versionId = tenant.versionId): Promise<string> {
  const id = formatId('deployment', uuidv7());
  await testEnv.database.db
    .insertInto('deployments')
    .values({
      id,
      account_id: tenant.accountId,
      agent_id: tenant.agentId,
      version_id: versionId,
      region,
    })
    .execute();
  return id;
}

async function deploy(deploymentId: string) {
  await testEnv.workflows.start('deployAgent', deploymentId, { accountId: tenant.accountId, deploymentId });
  await testEnv.client.workflow.getHandle(deploymentId).result();
  return deployment(deploymentId);
}
const deployment = (id: string) =>
  testEnv.database.db
    .selectFrom('deployments')
    .select(['status', 'reason'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const agent = () =>
  testEnv.database.db
    .selectFrom('agents')
    .select(['status', 'deployment_id'])
    .where('id', '=', tenant.agentId)
    .executeTakeFirstOrThrow();

// shows: agent.first-deploy, deploy.one-live
test('a deployment goes live, the one before it is retired, and the agent is active with it', async () => {
  const before = (await agent()).deployment_id!;
  const id = await aDeployment();

  expect(await deploy(id)).toEqual({ status: 'live', reason: null });

  expect(await deployment(before)).toEqual({ status: 'retired', reason: 'superseded' });
  expect(await agent()).toEqual({ status: 'active', deployment_id: id });
});

// shows: deploy.late
test('a deploy that comes late, after a later one, is retired and changes nothing', async () => {
  const early = await aDeployment();
  const late = await aDeployment();

  expect(await deploy(late)).toMatchObject({ status: 'live' });
  expect(await deploy(early)).toEqual({ status: 'retired', reason: 'superseded' });

  expect(await agent()).toMatchObject({ deployment_id: late });
});

// shows: agent.first-deploy-fails, deploy.no-key
test('without an active API key the deployment fails and says what to do, and what runs goes on running', async () => {
  const before = await agent();
  await testEnv.database.db
    .updateTable('api_keys')
    .set({ active: false })
    .where('account_id', '=', tenant.accountId)
    .execute();

  expect(await deploy(await aDeployment())).toEqual({ status: 'failed', reason: expect.stringContaining('API key') });

  expect(await agent()).toEqual(before);
});

// shows: deploy.one-live
test('another region has its own live deployment and does not touch the agent’s', async () => {
  const before = await agent();

  expect(await deploy(await aDeployment('eu'))).toMatchObject({ status: 'live' });

  expect(await agent()).toEqual(before);
});

// shows: deploy.no-worker
test('where calls are real, a deployment without worker and keys names all of what is missing', async () => {
  testEnv = real;
  tenant = await aTenant(testEnv.database.db);

  const { status, reason } = await deploy(await aDeployment());

  expect(status).toBe('failed');
  expect(reason).toMatch(/agent worker.*Deepgram.*OpenAI.*Cartesia/s);
});

describe('where calls are real and nothing but an agent worker is missing', () => {
  let asked = 0;
  let before: RegionService = 'none';
  let comes = true;
  let waiting: TimeSkippingTestEnv;
  beforeAll(async () => {
    const serviceKeys = new Set(['deepgram', 'openai', 'cartesia']);
    const modelDefaults = { ...simulatedDeploys.modelDefaults, ttsVoice: 'a-voice' };
    const agentsOf = () => Promise.resolve(++asked >= 2 && comes ? ('served' as const) : before);
    waiting = await timeSkippingTestEnv({
      deploy: {
        ...{ ...simulatedDeploys, simulated: false, serviceKeys, modelDefaults, agentsOf },
        workerPatienceMs: 700,
      },
    });
  });
  afterAll(() => waiting.close());
  beforeEach(async () => {
    testEnv = waiting;
    tenant = await aTenant(testEnv.database.db);
    asked = 0;
    before = 'none';
  });

  test('a deployment waits for one and goes live with it', async () => {
    comes = true;
    expect(await deploy(await aDeployment())).toEqual({ status: 'live', reason: null });
    expect(asked).toBe(2);
  });

  test('a deployment that has waited in vain fails, and says that there is none', async () => {
    comes = false;
    const { status, reason } = await deploy(await aDeployment());
    expect(status).toBe('failed');
    expect(reason).toMatch(/^No agent worker serves the region default\. Start one with `outdial agent`/);
    expect(asked).toBeGreaterThanOrEqual(2);
  });

  test('a deployment goes live with a worker that warms up meanwhile', async () => {
    [before, comes] = ['warming', true];
    expect(await deploy(await aDeployment())).toEqual({ status: 'live', reason: null });
  });

  test.each([
    ['warming', /^The agent workers of the region default are not ready/],
    ['draining', /^The agent workers of the region default are stopping/],
  ] as const)(
    'workers that are there but only %s in all that time are the reason why it fails',
    async (state, words) => {
      [before, comes] = [state, false];
      const { status, reason } = await deploy(await aDeployment());
      expect(status).toBe('failed');
      expect(reason).toMatch(words);
    },
  );
});

describe('where calls are real, the language models of a config are asked before it goes live', () => {
  let model: FakeLanguageModel;
  let asking: TimeSkippingTestEnv;
  let notAsking: TimeSkippingTestEnv;
  let address: string;
  beforeAll(async () => {
    model = await fakeLanguageModel();
    const languageModels = {
      serviceKey: () => undefined,
      get customUrl() {
        return address;
      },
    };
    const deploy = {
      ...{ ...simulatedDeploys, simulated: false, serviceKeys: new Set(['deepgram', 'cartesia']) },
      modelDefaults: { ...simulatedDeploys.modelDefaults, llm: 'custom/house', ttsVoice: 'a-voice' },
      customKinds: new Set(['llm'] as const),
      agentsOf: () => Promise.resolve('served' as const),
    };
    asking = await timeSkippingTestEnv({ deploy, languageModels });
    notAsking = await timeSkippingTestEnv({ deploy: { ...deploy, asksModels: false }, languageModels });
  });
  afterAll(async () => {
    await asking.close();
    await notAsking.close();
    await model.close();
  });
  beforeEach(async () => {
    testEnv = asking;
    tenant = await aTenant(testEnv.database.db);
    model.asked.length = 0;
    model.replies = ['yes'];
    address = model.url;
  });

  test('a model that answers is asked once, and the version goes live', async () => {
    expect(await deploy(await aDeployment())).toEqual({ status: 'live', reason: null });
    expect(model.asked.map((question) => question.model)).toEqual(['house']);
  });

  // shows: deploy.refused-model
  test('the key of the config is the one that is tried, and it is in no word of the answer', async () => {
    const llm = [{ model: 'custom/own', apiKey: 'masked' }];
    const config = { name: 'Ann', languages: { english: { prompt: 'Be kind.', llm } } };
    const versionId = formatId('version', uuidv7());
    await testEnv.database.db
      .insertInto('agent_versions')
      .values({
        ...{ id: versionId, account_id: tenant.accountId, agent_id: tenant.agentId, number: 2, name: 'second' },
        config: JSON.stringify(config),
      })
      .execute();
    const path = 'languages.english.llm[0].apiKey';
    const place = secretPlaces.agentKey(tenant.accountId, versionId, path);
    await testEnv.database.db
      .insertInto('agent_version_secrets')
      .values({
        ...{ account_id: tenant.accountId, version_id: versionId, path },
        secret_sealed: testSecretBox().seal('sk-their-own', place),
      })
      .execute();
    model.replies = [401];

    const { status, reason } = await deploy(await aDeployment('default', versionId));

    expect(model.asked.map(({ authorization }) => authorization)).toEqual(['Bearer sk-their-own']);
    expect(status).toBe('failed');
    expect(reason).toBe(
      'custom/own (languages.english.llm[0]): its server refuses the key (401). Send one that may use the model.',
    );
  });

  test.each([
    [404, 'does not know the model house (404)'],
    [403, 'refuses the key (403)'],
  ])('an answer of %d fails the deploy, and the live version stays', async (code, words) => {
    const before = await agent();
    model.replies = [code];
    expect(await deploy(await aDeployment())).toEqual({ status: 'failed', reason: expect.stringContaining(words) });
    expect(await agent()).toEqual(before);
  });

  test.each([429, 500])('%d, which may be over in a moment, keeps no agent from its calls', async (code) => {
    model.replies = [code];
    expect(await deploy(await aDeployment())).toEqual({ status: 'live', reason: null });
  });

  test('a server of one’s own at whose address nothing answers is named, with the setting', async () => {
    address = 'http://127.0.0.1:1/v1';
    const { status, reason } = await deploy(await aDeployment());
    expect(status).toBe('failed');
    expect(reason).toMatch(/custom\/house .*nothing answers at its address.*OUTDIAL_CUSTOM_LLM_URL/);
  });

  test('a service that is told not to ask does not', async () => {
    testEnv = notAsking;
    tenant = await aTenant(testEnv.database.db);
    model.replies = [401];
    expect(await deploy(await aDeployment())).toEqual({ status: 'live', reason: null });
    expect(model.asked).toEqual([]);
  });
});

// shows: deploy.no-provider-key
test('a provider without a key is named with the place in the config and the variable that would hold one', async () => {
  testEnv = real;
  tenant = await aTenant(testEnv.database.db);

  const { reason } = await deploy(await aDeployment());

  expect(reason).toContain('deepgram/nova-3 (languages.english.stt[0]) has no key for Deepgram.');
  expect(reason).toContain('set DEEPGRAM_API_KEY for the service');
  expect(reason).toContain('No agent worker serves the region default.');
});

test('a deploy whose agent has been undeployed since it was accepted changes nothing', async () => {
  const { db } = testEnv.database;
  const id = await aDeployment();
  await db.transaction().execute((tx) => retireDeployments(tx, tenant.accountId, tenant.agentId));

  expect(await deploy(id)).toEqual({ status: 'retired', reason: 'superseded' });

  expect(await agent()).toEqual({ status: 'inactive', deployment_id: null });
});

test('a deploy whose agent has been deleted ends', async () => {
  const { db } = testEnv.database;
  const id = await aDeployment();
  await db.deleteFrom('rule_numbers').where('rule_id', '=', tenant.ruleId).execute();
  await db.deleteFrom('routing_rules').where('id', '=', tenant.ruleId).execute();
  await deleteAgentRow(db, tenant.accountId, tenant.agentId);

  await testEnv.workflows.start('deployAgent', id, { accountId: tenant.accountId, deploymentId: id });

  await expect(testEnv.client.workflow.getHandle(id).result()).resolves.toBeUndefined();
});

test('of deploys that are carried out at once, the one accepted last is live in the end', async () => {
  const ids = [await aDeployment(), await aDeployment(), await aDeployment()];

  const { accountId } = tenant;
  await Promise.all(
    ids
      .toReversed()
      .map((deploymentId) => testEnv.workflows.start('deployAgent', deploymentId, { accountId, deploymentId })),
  );
  // Asked of Postgres: waiting for results lets the server skip time, also over activities of the others.
  await testEnv.until(async () => (await Promise.all(ids.map(deployment))).every(({ status }) => status !== 'pending'));

  expect(await Promise.all(ids.map(deployment))).toEqual([
    { status: 'retired', reason: 'superseded' },
    { status: 'retired', reason: 'superseded' },
    { status: 'live', reason: null },
  ]);
  expect(await agent()).toEqual({ status: 'active', deployment_id: ids[2] });
});

// shows: deploy.defaults
test('the models that the service fills in are pinned with the deployment', async () => {
  const id = await aDeployment();
  await deploy(id);
  const { defaults } = await testEnv.database.db
    .selectFrom('deployments')
    .select('defaults')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(defaults).toEqual(simulatedDeploys.modelDefaults);
});

test('an agent that becomes active wakes the gateways of its batches', async () => {
  const { db } = testEnv.database;
  await db
    .insertInto('batches')
    .values({
      id: formatId('batch', uuidv7()),
      account_id: tenant.accountId,
      name: 'Waiting',
      number_id: tenant.numberId,
      from_number: tenant.number,
      rule_id: tenant.ruleId,
      gateway_id: tenant.gatewayId,
      agent_id: tenant.agentId,
      timing: 'immediate',
      timezone: 'UTC',
      starts_at: new Date(),
      status: 'running',
    })
    .execute();
  await db
    .updateTable('gateway_admission')
    .set({ next_claim_at: 'infinity' })
    .where('gateway_id', '=', tenant.gatewayId)
    .execute();

  await deploy(await aDeployment());

  const { next_claim_at: nextClaimAt } = await db
    .selectFrom('gateway_admission')
    .select('next_claim_at')
    .where('gateway_id', '=', tenant.gatewayId)
    .executeTakeFirstOrThrow();
  expect(nextClaimAt.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
});
