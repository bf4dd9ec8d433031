import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { webhookFindings } from '../../cli/doctor/installation.js';
import { type Database, openDatabase } from '../../db/client.js';
import { endsTold } from '../../db/queries/upkeep/ends-told.js';
import { formatId } from '../../domain/ids.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';
import { aTenant } from '../workflow/fixtures.js';

let testing: TestDatabase;
let database: Database;
beforeAll(async () => {
  testing = await testDatabase();
  database = openDatabase({ url: testing.url, poolSize: 2, name: 'test' });
});
afterAll(async () => {
  await database.close();
  await testing.close();
});

test('doctor says that LiveKit’s webhooks do not arrive once they have told no end that callees made, and of how many calls', async () => {
  const { db } = database;
  const { accountId } = await aTenant(db);
  const gatewayId = formatId('outboundGateway', uuidv7());
  const trunk = { name: 'Trunk', sip_region: 'auto', address: 'sip.example.com', transport: 'udp' };
  await db
    .insertInto('gateways')
    .values({ id: gatewayId, account_id: accountId, direction: 'outbound', ...trunk })
    .execute();

  async function anEnd(change: {
    reason?: string;
    simulated?: boolean;
    daysAgo?: number;
    told?: boolean;
  }): Promise<void> {
    const { reason = 'callee_hung_up', simulated = false, daysAgo = 0, told = false } = change;
    const id = uuidv7();
    const at = new Date(Date.now() - daysAgo * 86_400_000);
    const own = { account_id: accountId, gateway_id: gatewayId, to_number: '+14155550101' };
    const ended = { reason, answered_at: at, ended_at: at };
    await db
      .insertInto('calls')
      .values({
        id,
        ...own,
        ...ended,
        from_number: '+14155550100',
        rule_id: 'rule_test',
        status: 'answered',
        simulated,
      })
      .execute();
    const left = told
      ? JSON.stringify({ invite: 1, at, callStatus: 'hangup', disconnectReason: 1, transferring: false })
      : null;
    await db
      .insertInto('call_attempts')
      .values({
        call_id: id,
        ...own,
        ...ended,
        number: 1,
        invite: 1,
        due_at: at,
        phase: 'ended',
        outcome: 'answered',
        left_hint: left,
      })
      .execute();
  }

  for (let count = 0; count < 4; count += 1) await anEnd({});
  for (const other of [{ reason: 'agent_hung_up' }, { simulated: true }, { daysAgo: 2 }]) await anEnd(other);
  expect(await endsTold(db)).toEqual({ ended: 4, told: 0 });
  expect(webhookFindings(await endsTold(db))).toEqual([]);
  await anEnd({});
  expect(webhookFindings(await endsTold(db))).toMatchObject([
    {
      state: 'warning',
      message: expect.stringContaining('none of the last 5 calls'),
      remedy: expect.stringContaining('/livekit/webhook'),
    },
  ]);
  await anEnd({ told: true });
  expect(webhookFindings(await endsTold(db))).toMatchObject([
    { state: 'ok', message: expect.stringContaining('1 of the last 6') },
  ]);
});
