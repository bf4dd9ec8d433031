import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { formatId } from '../../domain/ids.js';
import { aTenant, type Tenant } from './fixtures.js';
import { aWorld, simulatedDeploys, type SkippingWorld } from './world.js';

let simulated: SkippingWorld;
let real: SkippingWorld;
let tenant: Tenant;
beforeAll(async () => {
  simulated = await aWorld();
  real = await aWorld({ deploy: { ...simulatedDeploys, simulated: false } });
});
afterAll(async () => {
  await simulated.close();
  await real.close();
});

let world: SkippingWorld;
beforeEach(async () => {
  world = simulated;
  tenant = await aTenant(world.database.db);
});

async function aDeployment(region = 'default'): Promise<string> {
  const id = formatId('deployment', uuidv7());
  await world.database.db
    .insertInto('deployments')
    .values({
      id,
      account_id: tenant.accountId,
      agent_id: tenant.agentId,
      version_id: tenant.versionId,
      region,
    })
    .execute();
  return id;
}

async function deploy(deploymentId: string) {
  await world.door.start('deployAgent', deploymentId, { accountId: tenant.accountId, deploymentId });
  await world.client.workflow.getHandle(deploymentId).result();
  return deployment(deploymentId);
}
const deployment = (id: string) =>
  world.database.db
    .selectFrom('deployments')
    .select(['status', 'reason'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const agent = () =>
  world.database.db
    .selectFrom('agents')
    .select(['status', 'deployment_id'])
    .where('id', '=', tenant.agentId)
    .executeTakeFirstOrThrow();

test('a deployment goes live, the one before it is retired, and the agent is active with it', async () => {
  const before = (await agent()).deployment_id!;
  const id = await aDeployment();

  expect(await deploy(id)).toEqual({ status: 'live', reason: null });

  expect(await deployment(before)).toEqual({ status: 'retired', reason: 'superseded' });
  expect(await agent()).toEqual({ status: 'active', deployment_id: id });
});

test('a deploy that comes late, after a later one, is retired and changes nothing', async () => {
  const early = await aDeployment();
  const late = await aDeployment();

  expect(await deploy(late)).toMatchObject({ status: 'live' });
  expect(await deploy(early)).toEqual({ status: 'retired', reason: 'superseded' });

  expect(await agent()).toMatchObject({ deployment_id: late });
});

test('without an active API key the deployment fails and says what to do, and what runs goes on running', async () => {
  const before = await agent();
  await world.database.db
    .updateTable('api_keys')
    .set({ active: false })
    .where('account_id', '=', tenant.accountId)
    .execute();

  expect(await deploy(await aDeployment())).toEqual({ status: 'failed', reason: expect.stringContaining('API key') });

  expect(await agent()).toEqual(before);
});

test('another region has its own live deployment and does not touch the agent’s', async () => {
  const before = await agent();

  expect(await deploy(await aDeployment('eu'))).toMatchObject({ status: 'live' });

  expect(await agent()).toEqual(before);
});

test('where calls are real, a deployment without worker and keys names all of what is missing', async () => {
  world = real;
  tenant = await aTenant(world.database.db);

  const { status, reason } = await deploy(await aDeployment());

  expect(status).toBe('failed');
  expect(reason).toMatch(/agent worker.*Deepgram.*OpenAI.*Cartesia/s);
});

test('an agent that becomes active wakes the gateways of its batches', async () => {
  const { db } = world.database;
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
