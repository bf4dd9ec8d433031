import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { v7 as uuid } from 'uuid';
import { goLive } from '../../../db/queries/agents/deploy.js';
import { insertDeployment, retireDeployments } from '../../../db/queries/agents/deployments.js';
import { wakeGateways } from '../../../db/queries/dialer/wake-gateways.js';
import { formatId } from '../../../domain/ids.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

/** A version of an agent that is live. */
async function live(agentId: string, number: number): Promise<string> {
  const { accountId, database } = testEnv;
  const [versionId, deploymentId] = [formatId('version', uuid()), formatId('deployment', uuid())];
  await database.db
    .insertInto('agent_versions')
    .values({ id: versionId, account_id: accountId, agent_id: agentId, number, name: 'Agent', config: '{}' })
    .execute();
  await insertDeployment(database.db, { deploymentId, accountId, agentId, versionId, region: 'default' });
  await goLive(database.db, { accountId, deploymentId, defaultRegion: 'default', defaults: {} });
  return versionId;
}

async function anotherAgent(): Promise<string> {
  const agentId = formatId('agent', uuid());
  await sql`insert into agents (id, account_id, name, status, latest_version_id)
    values (${agentId}, ${testEnv.accountId}, 'Another', 'inactive', 'ver')`.execute(testEnv.database.db);
  return agentId;
}

// shows: batch.variants.conversation
test('the agent and the version that a recipient got hold its calls; without a named version, the one that is live', async () => {
  testEnv = await dialerTestEnv();
  const { db } = testEnv.database;
  const gateway = await testEnv.gateway();
  const agentId = await anotherAgent();
  const [older, newer] = [await live(agentId, 1), await live(agentId, 2)];
  const batchId = await testEnv.batch(gateway);
  const [pinned, floating, plain] = (await testEnv.calls(gateway, batchId, numbersEndingIn(0, 3))) as [
    string,
    string,
    string,
  ];
  const { rows: usual } = await sql<{ version: string }>`
    select d.version_id as version from agents a join deployments d on d.id = a.deployment_id where a.id <> ${agentId}`.execute(
    db,
  );
  await sql`update batches set variants = ${JSON.stringify([
    { agentId, versionId: older, weight: 1 },
    { agentId, weight: 1 },
  ])}::jsonb where id = ${batchId}`.execute(db);
  await sql`update calls set agent_id = ${agentId}, variant = ${older} where id = ${pinned}`.execute(db);
  await sql`update calls set agent_id = ${agentId}, variant = ${agentId} where id = ${floating}`.execute(db);

  await testEnv.dialer();
  const calls = () => db.selectFrom('calls').selectAll().where('batch_id', '=', batchId).execute();
  await until(async () => (await calls()).every(({ version_id }) => version_id !== null));
  const versions = new Map((await calls()).map(({ id, version_id }) => [id, version_id]));
  expect(versions.get(pinned)).toBe(older);
  expect(versions.get(floating)).toBe(newer);
  expect(versions.get(plain)).toBe(usual[0]!.version);
});

// shows: batch.variants.undeployed
test('nobody of the batch is dialed while one of its agents is not deployed, and all are once it is', async () => {
  testEnv = await dialerTestEnv();
  const { db } = testEnv.database;
  const gateway = await testEnv.gateway();
  const agentId = await anotherAgent();
  await live(agentId, 1);
  const { rows: usual } = await sql<{ id: string }>`select id from agents where id <> ${agentId}`.execute(db);
  const [held, other] = [await testEnv.batch(gateway), await testEnv.batch(gateway)];
  await sql`update batches set variants = ${JSON.stringify([
    { agentId: usual[0]!.id, weight: 1 },
    { agentId, weight: 1 },
  ])}::jsonb where id = ${held}`.execute(db);
  await db.transaction().execute((tx) => retireDeployments(tx, testEnv.accountId, agentId));
  const numbers = numbersEndingIn(0, 4);
  await testEnv.calls(gateway, held, numbers.slice(0, 2));
  await testEnv.calls(gateway, other, numbers.slice(2));
  await testEnv.dialer();

  const settled = async (batchId: string) => {
    const rows = await db.selectFrom('calls').select('settled').where('batch_id', '=', batchId).execute();
    return rows.filter((each) => each.settled).length;
  };
  await until(async () => (await settled(other)) === 2);
  const { rows: untouched } = await sql`
    select 1 from call_attempts where batch_id = ${held} and phase = 'queued' and invite = 0`.execute(db);
  expect(untouched).toHaveLength(2);

  await live(agentId, 2);
  await wakeGateways(db, [gateway.id]);
  await until(async () => (await settled(held)) === 2);
});
