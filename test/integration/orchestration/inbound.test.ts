import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { customUrls } from '../../../domain/agent/model-endpoints.js';
import { pinColumns } from '../../../domain/call/room-pin.js';
import { secretPlaces } from '../../../domain/account/secret-places.js';
import { type Database, openDatabase } from '../../../db/client.js';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import { findTemporal, userBinFolder } from '../../../embedded/temporal.js';
import { startTemporalServer, type TemporalServer } from '../../../embedded/temporal-server.js';
import { formatId } from '../../../domain/ids.js';
import type { InboundLine } from '../../../domain/call/inbound-line.js';
import { type RunningWorker, startWorker } from '../../../worker/start-worker.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant } from '../../workflow/fixtures.js';
import { workflowCode } from '../../workflow/workflow-code.js';
import { quietLogger, simulatedDeploys, testSecretBox, until } from '../../workflow/test-env.js';

const rounds: (readonly InboundLine[])[] = [];
let failures = 0;
let own: TestDatabase;
let database: Database;
let server: TemporalServer;
let connection: Connection;
let worker: RunningWorker;

beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 10, name: 'test' });
  const found = await findTemporal({ binFolder: userBinFolder() });
  if (found.kind === 'server') throw new Error('This test starts a server of its own; it cannot use TEMPORAL_ADDRESS.');
  const logFile = join(temporaryFolder('inbound-test'), 'temporal.log');
  server = await startTemporalServer({ program: found.path, logFile });
  connection = await Connection.connect({ address: server.address });
  worker = await startWorker({
    temporal: { address: server.address, namespace: 'default', taskQueue: 'outdial' },
    ...{ database, poolSize: 10, logger: quietLogger, secretBox: testSecretBox(), deploy: simulatedDeploys },
    fetchOutside: () => Promise.reject(new Error('no network here')),
    languageModels: { serviceKey: () => undefined, customUrls: customUrls({}) },
    inbound: {
      mirror(lines) {
        if (failures > 0) {
          failures -= 1;
          return Promise.reject(new Error('LiveKit is away'));
        }
        rounds.push(lines);
        return Promise.resolve({ changed: 0, deleted: 0, refused: [] });
      },
    },
    workflowBundle: { code: await workflowCode() },
  });
});
afterAll(async () => {
  await worker.stop();
  await connection.close();
  await server.stop();
  await database.close();
  await own.close();
});

test('LiveKit is told of inbound numbers at the start, every five minutes, and right after each change', async () => {
  await until(() => Promise.resolve(rounds.length > 0));
  const handle = new Client({ connection }).schedule.getHandle('outdial-reconcileInbound');
  expect((await handle.describe()).spec.intervals).toMatchObject([{ every: 300_000 }]);

  const { accountId, agentId, numberId, number } = await aTenant(database.db);
  const gatewayId = formatId('inboundGateway', uuidv7());
  const ruleId = formatId('rule', uuidv7());
  const mine = { account_id: accountId };
  // Away at first: the change is told when it is back.
  failures = 1;
  await database.db.transaction().execute(async (tx) => {
    const sealed = testSecretBox().seal('correct horse', secretPlaces.gatewayPassword(accountId, gatewayId));
    const auth = { auth_username: 'trunk', auth_password_sealed: sealed };
    const gateway = { id: gatewayId, direction: 'inbound', name: 'Trunk', sip_region: 'auto' };
    await tx
      .insertInto('gateways')
      .values({ ...gateway, ...mine, ...auth })
      .execute();
    const link = { number_id: numberId, e164: number, ...mine };
    await tx
      .insertInto('number_gateways')
      .values({ ...link, direction: 'inbound', gateway_id: gatewayId })
      .execute();
    const pin = pinColumns('4711', { accountId, ruleId }, (secret, place) => testSecretBox().seal(secret, place));
    const rule = { id: ruleId, type: 'inbound', name: 'Reception', agent_id: agentId, ...pin };
    await tx
      .insertInto('routing_rules')
      .values({ ...rule, ...mine })
      .execute();
    await tx
      .insertInto('rule_numbers')
      .values({ ...link, rule_id: ruleId, type: 'inbound', position: 0 })
      .execute();
  });
  const latest = () => rounds.at(-1) ?? [];
  await until(() => Promise.resolve(latest().length === 1));
  expect(latest()).toMatchObject([
    { number, gatewayId, ruleId, auth: { username: 'trunk', password: 'correct horse' }, hasAgent: true },
  ]);
  expect(latest()[0]?.room.pin).toBe('4711');
  await database.db.updateTable('routing_rules').set({ room_pin: '12' }).where('id', '=', ruleId).execute();
  await until(() => Promise.resolve(latest()[0]?.room.pin === '12'));

  await database.db.updateTable('gateways').set({ media_encryption: 'enable' }).where('id', '=', gatewayId).execute();
  await until(() => Promise.resolve(latest()[0]?.mediaEncryption === 'enable'));

  await database.db.deleteFrom('routing_rules').where('id', '=', ruleId).execute();
  await until(() => Promise.resolve(latest().length === 0));
});
