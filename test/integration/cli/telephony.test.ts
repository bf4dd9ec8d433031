import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TrunkEnd } from '../../../domain/phone/trunk-end.js';
import { openTelephony } from '../../../cli/roles/telephony.js';
import { openDatabase, type Database } from '../../../db/client.js';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import { readEnv } from '../../../platform/env.js';
import { startSimulator, type Simulator } from '../../../telephony/simulator/start.js';

const gateway: TrunkEnd = {
  id: 'gwo_checked',
  address: 'sip.carrier.example',
  transport: 'tls',
  mediaEncryption: 'disable',
  region: 'default',
  headers: {},
  numberFormat: 'e164',
};

let carrier: Simulator;
let database: Database;
beforeAll(async () => {
  carrier = await startSimulator({ ledgerPath: join(temporaryFolder('ledger'), 'ledger.jsonl'), speed: 50 });
  // Never connected to: the simulator's driver keeps nothing.
  database = openDatabase({ url: 'postgres://127.0.0.1:1/none', poolSize: 1, name: 'test' });
});
afterAll(async () => {
  await carrier.stop();
  await database.close();
});

const opened = (settings: Record<string, string>) =>
  openTelephony(readEnv(settings), { database, logger: pino({ level: 'silent' }) });

test('the API asks a gateway through the driver of the carrier that is set up', async () => {
  const telephony = opened({ OUTDIAL_PROVIDER: 'simulator', OUTDIAL_SIMULATOR_URL: carrier.url });
  expect(await telephony.checkGateway(gateway)).toMatchObject({ reachable: true, statusCode: 200 });
  await telephony.close();
});

test('an API without a carrier opens and closes; only the check says that there is none', async () => {
  const telephony = opened({ OUTDIAL_PROVIDER: 'simulator' });
  await expect(telephony.checkGateway(gateway)).rejects.toThrow('OUTDIAL_SIMULATOR_URL');
  await telephony.close();
});
