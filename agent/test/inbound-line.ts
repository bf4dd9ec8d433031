import { v7 as uuidv7 } from 'uuid';
import { inboundAttributes } from '../../domain/call/inbound-line.js';
import { formatId } from '../../domain/ids.js';
import type { AgentTestEnv } from './test-env.js';

/** A number that can be called, its rule and live agent, and a caller's participant as LiveKit SIP would make it. */
export interface TestInboundLine {
  readonly number: string;
  readonly ruleId: string;
  readonly room: string;
  readonly identity: string;
  readonly attributes: Record<string, string>;
}

export async function anInboundLine(testEnv: AgentTestEnv, config: object): Promise<TestInboundLine> {
  const { db } = testEnv.database;
  const owner = { account_id: testEnv.accountId };
  const agentId = await testEnv.anAgent(config);
  const versions = db.selectFrom('agent_versions').select('id').where('agent_id', '=', agentId);
  const { id: versionId } = await versions.executeTakeFirstOrThrow();
  const [deploymentId, numberId] = [formatId('deployment', uuidv7()), formatId('number', uuidv7())];
  const [gatewayId, ruleId] = [formatId('inboundGateway', uuidv7()), formatId('rule', uuidv7())];
  const [number, caller] = ['+15550100042', '+15550300001'];
  const live = { id: deploymentId, agent_id: agentId, version_id: versionId, region: 'default', status: 'live' };
  await db
    .insertInto('deployments')
    .values({ ...owner, ...live })
    .execute();
  await db
    .updateTable('agents')
    .set({ status: 'active', deployment_id: deploymentId })
    .where('id', '=', agentId)
    .execute();
  await db
    .insertInto('phone_numbers')
    .values({ ...owner, id: numberId, e164: number, name: 'Line' })
    .execute();
  await db
    .insertInto('gateways')
    .values({ ...owner, id: gatewayId, direction: 'inbound', name: 'Trunk', sip_region: 'default' })
    .execute();
  await db
    .insertInto('number_gateways')
    .values({ ...owner, number_id: numberId, direction: 'inbound', gateway_id: gatewayId, e164: number })
    .execute();
  await db
    .insertInto('routing_rules')
    .values({ ...owner, id: ruleId, type: 'inbound', name: 'Rule', agent_id: agentId })
    .execute();
  await db
    .insertInto('rule_numbers')
    .values({ ...owner, rule_id: ruleId, number_id: numberId, type: 'inbound', e164: number, position: 0 })
    .execute();
  return {
    number,
    ruleId,
    room: `inbound_${uuidv7()}`,
    identity: `sip_${caller}`,
    attributes: {
      [inboundAttributes.rule]: ruleId,
      [inboundAttributes.number]: number,
      'sip.callIDFull': `${uuidv7()}@carrier`,
      'sip.phoneNumber': caller,
      'sip.callStatus': 'active',
    },
  };
}
