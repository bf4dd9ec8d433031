import pg from 'pg';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { observeHeldSnapshot } from '../../../cli/roles/held-snapshot-metric.js';
import { type Database, openDatabase } from '../../../db/client.js';
import { migrate } from '../../../db/migrate.js';
import { oldestHeldSnapshot } from '../../../db/queries/upkeep/held-snapshot.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';

let testing: TestDatabase;
let service: Database;
let dumping: pg.Client;
beforeAll(async () => {
  testing = await testDatabase();
  const owner = new pg.Pool({ connectionString: testing.url, max: 1 });
  await migrate(owner, testing.serviceUrl);
  await owner.end();
  service = openDatabase({ url: testing.serviceUrl, poolSize: 1, name: 'metrics' });
  dumping = new pg.Client({ connectionString: testing.url, application_name: 'pg_dump' });
  await dumping.connect();
});
afterAll(async () => {
  await dumping.end();
  await service.close();
  await testing.close();
});

async function metricOf(): Promise<number> {
  const registry = new Registry();
  observeHeldSnapshot(registry, service.db);
  const [, value] = /^outdial_database_oldest_snapshot_seconds (\S+)$/m.exec(await registry.metrics()) ?? [];
  return Number(value);
}

test('C6: the service sees for how long a session of another role keeps PostgreSQL from cleaning up, and whose it is', async () => {
  await dumping.query('begin isolation level repeatable read');
  await dumping.query('select count(*) from calls');
  const held = await oldestHeldSnapshot(service.db);
  expect(held).toMatchObject({ holder: 'pg_dump' });
  await dumping.query('select pg_sleep(0.1)');
  expect(await metricOf()).toBeGreaterThan((held?.seconds ?? 0) + 0.09);

  await dumping.query('commit');
  expect((await oldestHeldSnapshot(service.db))?.holder).not.toBe('pg_dump');
});
