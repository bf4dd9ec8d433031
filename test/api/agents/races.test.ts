import { expect, test } from 'vitest';
import { api } from '../support.js';
import { rowsOf } from '../support-resources.js';
import { aRoute, csv, fields, send } from '../batch-calls/support.js';
import { agentNow, aDeploy, aLineOf, aLiveAgent, anAgent, deploymentsNow, goLiveNow } from './support.js';

const rounds = Array.from({ length: 8 }, (_, round) => round);
const deploy = (agentId: string) => api.post(`/v1/agents/${agentId}/deploy`);
const undeploy = (agentId: string) => api.post(`/v1/agents/${agentId}/undeploy`);
const remove = (agentId: string) => api.delete(`/v1/agents/${agentId}`);
const isThere = async (agentId: string) => (await api.get(`/v1/agents/${agentId}`)).status === 200;

// shows: deploy.races
test.each(rounds)('deploy against delete: the agent is gone, and so is the deploy (%i)', async () => {
  const { agentId } = await aLiveAgent();

  const [deployed, removed] = await Promise.all([deploy(agentId), remove(agentId)]);

  expect(removed.status).toBe(200);
  expect([202, 404]).toContain(deployed.status);
  if (deployed.status === 202) await goLiveNow((deployed.body as { deploymentId: string }).deploymentId);
  expect(await isThere(agentId)).toBe(false);
  expect(await rowsOf('select 1 from deployments where agent_id = $1', [agentId])).toEqual([]);
});

// shows: deploy.atomic
test.each(rounds)('two deploys: the one accepted last is live, whichever is done first (%i)', async (round) => {
  const { agentId } = await anAgent();
  const answers = await Promise.all([deploy(agentId), deploy(agentId), deploy(agentId)]);
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  const ids = answers.map(({ body }) => (body as { deploymentId: string }).deploymentId);

  await Promise.all((round % 2 === 0 ? ids : ids.toReversed()).map(goLiveNow));

  const [last, ...earlier] = await deploymentsNow(agentId);
  expect(last).toMatchObject({ status: 'live' });
  expect(earlier.filter(({ deploymentId }) => ids.includes(deploymentId))).toMatchObject([
    { status: 'retired', reason: 'superseded' },
    { status: 'retired', reason: 'superseded' },
  ]);
  expect(await agentNow(agentId)).toMatchObject({ status: 'active', deploymentId: last?.deploymentId });
});

// shows: deploy.races
test.each(rounds)('undeploy against deploy: the one accepted last decides (%i)', async (round) => {
  const { agentId } = await aLiveAgent();
  const orders = round % 2 === 0 ? [deploy, undeploy] : [undeploy, deploy];

  const answers = await Promise.all(orders.map((order) => order(agentId)));
  const { deploymentId } = answers
    .map(({ body }) => body as { deploymentId?: string; region?: string })
    .find(({ region }) => region !== undefined)!;
  await goLiveNow(deploymentId!);

  const [last] = await rowsOf<{ action: string }>(
    'select action from audit_log where target = $1 order by id desc limit 1',
    [agentId],
  );
  const status = last?.action === 'agent.deploy' ? 'active' : 'inactive';
  expect(await agentNow(agentId)).toMatchObject({ status });
  expect((await deploymentsNow(agentId)).filter((each) => each.status === 'live')).toHaveLength(
    status === 'active' ? 1 : 0,
  );
});

test.each(rounds)('undeploy while an earlier deploy is going live: the agent ends inactive (%i)', async (round) => {
  const { agentId } = await aLiveAgent();
  const { deploymentId } = await aDeploy(agentId);

  const orders = [() => goLiveNow(deploymentId), () => undeploy(agentId)];
  await Promise.all((round % 2 === 0 ? orders : orders.toReversed()).map((order) => order()));

  expect((await agentNow(agentId)).status).toBe('inactive');
  expect((await deploymentsNow(agentId)).map(({ status }) => status)).toEqual(['retired', 'retired']);
});

test.each(rounds)('delete against the making of a rule: never a rule without its agent (%i)', async (round) => {
  const { agentId } = await aLiveAgent();
  const { phoneNumber } = await aRoute();
  const rule = { name: 'Outbound', type: 'outbound', agentId, phoneNumbers: [phoneNumber] };
  const orders = [() => api.post('/v2/sip/routing-rule', rule), () => remove(agentId)];

  const answers = await Promise.all((round % 2 === 0 ? orders : orders.toReversed()).map((order) => order()));

  const statuses = answers.map(({ status }) => status).sort();
  expect([
    [200, 400],
    [201, 409],
  ]).toContainEqual(statuses);
  expect(await isThere(agentId)).toBe(statuses.includes(201));
});

test.each(rounds)('delete against the making of a batch call: never a batch call without its agent (%i)', async () => {
  const { agentId } = await aLiveAgent();
  const { e164, ruleId } = await aLineOf(agentId);

  const [made, removed] = await Promise.all([
    send([csv(), ...fields({ name: 'Race', phoneNumber: e164 })]),
    rowsOf('delete from routing_rules where id = $1', [ruleId]).then(() => remove(agentId)),
  ]);

  expect([201, 400]).toContain(made.status);
  expect(removed.status).toBe(made.status === 201 ? 409 : 200);
  expect(await isThere(agentId)).toBe(made.status === 201);
});

test.each(rounds)('a call against undeploy: it is refused, or was accepted before (%i)', async (round) => {
  const { agentId } = await aLiveAgent();
  const { e164 } = await aLineOf(agentId);
  const orders = [
    () => api.post('/v2/sip/call', { sipCallTo: '+919876543210', sipCallFrom: e164 }),
    () => undeploy(agentId),
  ];

  const answers = await Promise.all((round % 2 === 0 ? orders : orders.toReversed()).map((order) => order()));

  expect(answers.map(({ status }) => status).sort()).toSatisfy(
    ([first, second]: number[]) => first === 200 && (second === 201 || second === 400),
  );
});
