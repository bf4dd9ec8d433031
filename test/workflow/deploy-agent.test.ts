import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Headers, Response } from 'undici';
import { v7 as uuidv7 } from 'uuid';
import { deleteAgentRow } from '../../db/queries/agents/delete.js';
import { retireDeployments } from '../../db/queries/agents/deployments.js';
import { secretPlaces } from '../../domain/account/secret-places.js';
import type { ActivityDeps, FetchOutside } from '../../activities/deps.js';
import type { RegionService } from '../../domain/agent-config/deploy-problems.js';
import { customKinds, customUrls } from '../../domain/agent/model-endpoints.js';
import { formatId } from '../../domain/ids.js';
import type { Tenant } from './fixtures.js';
import { fakeLanguageModel, type FakeLanguageModel } from './language-model.js';
import { shareTestEnv } from './shared-env.js';
import {
  noNetwork,
  simulatedDeploys,
  testSecretBox,
  timeSkippingTestEnv,
  type TimeSkippingTestEnv,
} from './test-env.js';

let testEnv: TimeSkippingTestEnv;
let tenant: Tenant;
type Service = Pick<ActivityDeps, 'deploy' | 'languageModels' | 'fetchOutside'>;
/** How the service is set up. Each test sets it before it deploys, and waits for what it deploys. */
let service: Service;
const simulated: Service = {
  deploy: simulatedDeploys,
  languageModels: { serviceKey: () => undefined, customUrls: customUrls({}) },
  fetchOutside: noNetwork,
};
const real: Service = { ...simulated, deploy: { ...simulatedDeploys, simulated: false } };
/** What the service is set to when it is asked for. */
const asSet = <K extends 'deploy' | 'languageModels'>(what: K): Service[K] =>
  new Proxy(simulated[what], { get: (_first, name): unknown => Reflect.get(service[what], name) });
shareTestEnv(
  () =>
    timeSkippingTestEnv({
      deploy: asSet('deploy'),
      languageModels: asSet('languageModels'),
      fetchOutside: (...request) => service.fetchOutside(...request),
    }),
  (env, account) => {
    [testEnv, tenant] = [env, account];
  },
);
beforeEach(() => {
  service = simulated;
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

/** A second version of the agent, with these models. */
async function aVersion(models: object): Promise<string> {
  const id = formatId('version', uuidv7());
  const { accountId: account_id, agentId: agent_id } = tenant;
  const config = JSON.stringify({ name: 'Ann', languages: { english: { prompt: 'Be kind.', ...models } } });
  await testEnv.database.db
    .insertInto('agent_versions')
    .values({ id, account_id, agent_id, number: 2, name: 'second', config })
    .execute();
  return id;
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
  service = real;

  const { status, reason } = await deploy(await aDeployment());

  expect(status).toBe('failed');
  expect(reason).toMatch(/agent worker.*Deepgram.*OpenAI.*Cartesia/s);
});

describe('where calls are real and nothing but an agent worker is missing', () => {
  let asked = 0;
  let before: RegionService = 'none';
  let comes = true;
  const serviceKeys = new Set(['deepgram', 'openai', 'cartesia']);
  const modelDefaults = { ...simulatedDeploys.modelDefaults, ttsVoice: 'a-voice' };
  const agentsOf = () => Promise.resolve(++asked >= 2 && comes ? ('served' as const) : before);
  const waiting: Service = {
    ...simulated,
    deploy: {
      ...{ ...simulatedDeploys, simulated: false, serviceKeys, modelDefaults, agentsOf },
      workerPatienceMs: 700,
    },
  };
  beforeEach(() => {
    service = waiting;
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

describe('where calls are real, the models of a config are asked before it goes live', () => {
  let model: FakeLanguageModel;
  let address: string;
  const asking: Service = {
    ...simulated,
    deploy: {
      ...{ ...simulatedDeploys, simulated: false, serviceKeys: new Set(['deepgram', 'cartesia']) },
      modelDefaults: { ...simulatedDeploys.modelDefaults, llm: 'custom/house', ttsVoice: 'a-voice' },
      customKinds: customKinds(customUrls({ OUTDIAL_CUSTOM_LLM_URL: 'http://127.0.0.1:1/v1' })),
      agentsOf: () => Promise.resolve('served' as const),
    },
    languageModels: {
      serviceKey: () => undefined,
      get customUrls() {
        return customUrls({ OUTDIAL_CUSTOM_LLM_URL: address });
      },
    },
  };
  beforeAll(async () => {
    model = await fakeLanguageModel();
  });
  afterAll(() => model.close());
  beforeEach(() => {
    service = asking;
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
    const versionId = await aVersion({ llm: [{ model: 'custom/own', apiKey: 'masked' }] });
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
    [404, 'its server does not know the model (404)'],
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

  const speech = { stt: [{ model: 'custom/ear' }], tts: [{ model: 'custom/mouth', voice: 'ann' }] };

  test('speech is asked as well: a voice for a word, and a transcription of silence', async () => {
    expect(await deploy(await aDeployment('default', await aVersion(speech)))).toEqual({
      status: 'live',
      reason: null,
    });
    const asked = model.asked.map(({ path, model: name, voice }) => [path, name, voice]);
    expect(asked.toSorted()).toEqual([
      ['/v1/audio/speech', 'mouth', 'ann'],
      ['/v1/audio/transcriptions', 'ear', undefined],
      ['/v1/chat/completions', 'house', undefined],
    ]);
  });

  test('a voice is asked for once in each of its forms, and no voice twice', async () => {
    const tts = ['ann', 'ben', 'ann'].map((voice) => ({ model: 'custom/mouth', voice }));
    await deploy(await aDeployment('default', await aVersion({ ...speech, tts })));
    const voices = model.asked.flatMap(({ voice }) => voice ?? []);
    expect(voices.toSorted()).toEqual(['ann', 'ben']);
  });

  // shows: deploy.refused-model
  test('a voice that the model does not have, and a transcription with a refused key, are named with their places', async () => {
    model.replies = [(path) => (path.endsWith('/speech') ? 400 : path.endsWith('/transcriptions') ? 401 : 'yes')];
    const { status, reason } = await deploy(await aDeployment('default', await aVersion(speech)));
    expect(status).toBe('failed');
    expect(reason).toBe(
      'custom/ear (languages.english.stt[0]): its server refuses the key (401). Send one that may use the model. ' +
        'custom/mouth (languages.english.tts[0]): its server does not speak as ann with this model (400). Name a voice that the model has.',
    );
  });

  test('a transcription that has nothing to say of silence keeps no agent from its calls', async () => {
    model.replies = [(path) => (path.endsWith('/transcriptions') ? 400 : 'yes')];
    expect(await deploy(await aDeployment('default', await aVersion(speech)))).toEqual({
      status: 'live',
      reason: null,
    });
  });

  describe('and speech of providers with protocols of their own', () => {
    const speech = {
      llm: [{ model: 'custom/house' }],
      stt: [{ model: 'deepgram/nova-3' }],
      tts: [
        { model: 'cartesia/sonic-2', voice: 'ann' },
        { model: 'elevenlabs/eleven_v3', voice: 'Ben' },
      ],
    };
    let sent: { readonly url: string; readonly headers: Headers; readonly body: unknown }[] = [];
    let statusOf: (url: string) => number;
    /** Stands for the providers, which are at fixed addresses outside. */
    const fetchOutside: FetchOutside = (url, { headers, body } = {}) => {
      const content = typeof body === 'string' ? (JSON.parse(body) as unknown) : body;
      sent.push({ url, headers: new Headers(headers), body: content });
      return Promise.resolve(new Response('{}', { status: statusOf(url) }));
    };
    beforeEach(() => {
      const urls = customUrls({ OUTDIAL_CUSTOM_LLM_URL: model.url });
      const languageModels = { serviceKey: (provider: string) => `key-of-${provider}`, customUrls: urls };
      const serviceKeys = new Set(['deepgram', 'cartesia', 'elevenlabs']);
      const agentsOf = () => Promise.resolve('served' as const);
      const deploy = { ...simulatedDeploys, simulated: false, serviceKeys, customKinds: customKinds(urls), agentsOf };
      service = { deploy, languageModels, fetchOutside };
      sent = [];
      statusOf = () => 200;
    });

    test('each is asked in its own words, with its key, model and voice', async () => {
      expect(await deploy(await aDeployment('default', await aVersion(speech)))).toEqual({
        status: 'live',
        reason: null,
      });
      const [byCartesia, hearing, byElevenLabs] = sent.toSorted((a, b) => (a.url < b.url ? -1 : 1));
      expect(byCartesia).toMatchObject({
        url: 'https://api.cartesia.ai/tts/bytes',
        body: { model_id: 'sonic-2', transcript: 'Yes.', voice: { mode: 'id', id: 'ann' }, language: 'en' },
      });
      expect(byCartesia?.headers.get('x-api-key')).toBe('key-of-cartesia');
      expect(hearing?.url).toBe('https://api.deepgram.com/v1/listen?model=nova-3&language=en');
      expect(hearing?.headers.get('authorization')).toBe('Token key-of-deepgram');
      expect(hearing?.body).toHaveLength(44 + 16_000);
      expect(byElevenLabs).toMatchObject({
        url: 'https://api.elevenlabs.io/v1/text-to-speech/Ben',
        body: { text: 'Yes.', model_id: 'eleven_v3' },
      });
      expect(byElevenLabs?.headers.get('xi-api-key')).toBe('key-of-elevenlabs');
      expect(sent).toHaveLength(3);
    });

    test.each([
      [401, 'Cartesia refuses the key (401).'],
      [402, 'Cartesia says that the account of the key has nothing left to pay with (402).'],
      [404, 'Cartesia does not know the model, or its voice ann (404).'],
      [400, 'Cartesia does not speak as ann with this model (400).'],
    ])('%d fails the deploy, in words that name the place and no key', async (code, words) => {
      statusOf = (url) => (url.includes('cartesia') ? code : 200);
      const { status, reason } = await deploy(await aDeployment('default', await aVersion(speech)));
      expect(status).toBe('failed');
      expect(reason).toContain(`cartesia/sonic-2 (languages.english.tts[0]): ${words}`);
      expect(reason).not.toContain('key-of');
    });

    test.each([429, 503])('%d of all of them keeps no agent from its calls', async (code) => {
      statusOf = () => code;
      expect(await deploy(await aDeployment('default', await aVersion(speech)))).toEqual({
        status: 'live',
        reason: null,
      });
    });
  });

  test('a service that is told not to ask does not', async () => {
    service = { ...asking, deploy: { ...asking.deploy, asksModels: false } };
    model.replies = [401];
    expect(await deploy(await aDeployment())).toEqual({ status: 'live', reason: null });
    expect(model.asked).toEqual([]);
  });
});

// shows: deploy.no-provider-key
test('a provider without a key is named with the place in the config and the variable that would hold one', async () => {
  service = real;

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
