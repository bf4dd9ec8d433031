import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../db/client.js';
import { callForAgent } from '../../db/queries/calls/conversation.js';
import { formatId } from '../../domain/ids.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';

let testing: TestDatabase;
let database: Database;
const accountId = formatId('account', uuidv7());
beforeAll(async () => {
  testing = await testDatabase();
  database = openDatabase({ url: testing.url, poolSize: 2, name: 'test' });
  await database.db
    .insertInto('accounts')
    .values({ id: accountId, name: 'Test', webhook_secret_sealed: 'sealed' })
    .execute();
});
afterAll(async () => {
  await database.close();
  await testing.close();
});

let made = 0;

interface Asked {
  readonly rule?: object;
  readonly gateway?: object;
  readonly options?: object;
}

/** What the agent of a live call is told, by what its rule, its gateway and the call itself ask for. */
async function toldFor({ rule = {}, gateway = {}, options = {} }: Asked, type: 'outbound' | 'inbound') {
  const { db } = database;
  const [callId, agentId, versionId] = [uuidv7(), formatId('agent', uuidv7()), formatId('version', uuidv7())];
  const [ruleId, gatewayId] = [formatId('rule', uuidv7()), formatId('outboundGateway', uuidv7())];
  const account = { account_id: accountId };
  const parties = { ...account, to_number: `+1555040${String(++made).padStart(4, '0')}`, gateway_id: gatewayId };
  await db
    .insertInto('agents')
    .values({ id: agentId, ...account, name: 'A', status: 'inactive', latest_version_id: versionId })
    .execute();
  await db
    .insertInto('agent_versions')
    .values({ id: versionId, ...account, agent_id: agentId, number: 1, name: 'First', config: '{}' })
    .execute();
  await db
    .insertInto('routing_rules')
    .values({ id: ruleId, ...account, name: 'R', type, agent_id: agentId, ...rule })
    .execute();
  await db
    .insertInto('gateways')
    .values({
      id: gatewayId,
      ...account,
      direction: type,
      name: 'G',
      address: 'sip.example.com',
      transport: 'udp',
      sip_region: 'auto',
      ...gateway,
    })
    .execute();
  await db
    .insertInto('calls')
    .values({
      ...{ id: callId, ...parties, type, from_number: '+15550400002', rule_id: ruleId, status: 'in-progress' },
      options: JSON.stringify(options),
    })
    .execute();
  await db
    .insertInto('call_attempts')
    .values({
      ...{ call_id: callId, number: 1, ...parties, phase: 'answered', invite: 1, due_at: new Date(), room: 'r' },
      ...{ claimed_by: uuidv7(), claimed_at: new Date(), dialed_at: new Date(), version_id: versionId },
      answered_at: new Date(),
    })
    .execute();
  const told = await callForAgent(db, callId, 'r');
  return told === null ? null : { dtmf: told.dtmf, noiseCancellation: told.noiseCancellation, record: told.record };
}

const nothing = { dtmf: false, noiseCancellation: false, record: false };
const all = { dtmf: true, noiseCancellation: true, record: true };

test.each(['outbound', 'inbound'] as const)(
  'keys, noise and recording of an %s call are as any of rule, gateway and call asks for them',
  async (type) => {
    expect(await toldFor({}, type)).toEqual(nothing);
    expect(await toldFor({ rule: { dtmf: true, noise_cancellation: true, recording: true } }, type)).toEqual(all);
    expect(await toldFor({ gateway: { enable_dtmf: true, noise_cancellation: true, record: true } }, type)).toEqual(
      all,
    );
    expect(await toldFor({ options: { dtmf: true, recordAudio: true } }, type)).toEqual({
      ...all,
      noiseCancellation: false,
    });
    expect(await toldFor({ options: { dtmf: false, recordAudio: false } }, type)).toEqual(nothing);
    expect(await toldFor({ gateway: { record: true }, options: { dtmf: true } }, type)).toEqual({
      ...nothing,
      ...{ dtmf: true, record: true },
    });
  },
);
