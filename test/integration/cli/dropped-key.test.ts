import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../../api/account/accounts.js';
import { storedSecretsFinding } from '../../../cli/doctor/keys.js';
import { type Database, openDatabase } from '../../../db/client.js';
import { readEnv } from '../../../platform/env.js';
import { createSecretBox } from '../../../platform/secret-box.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { outdialHere } from './commands.js';

const key = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;
const [k1, k2] = [key('k1', 1), key('k2', 2)];
let testing: TestDatabase;
let database: Database;
beforeAll(async () => {
  testing = await testDatabase();
  database = openDatabase({ url: testing.serviceUrl, poolSize: 2, name: 'test' });
  const owner = openDatabase({ url: testing.url, poolSize: 1, name: 'owner' });
  await createAccount(owner.db, createSecretBox([k1]), 'A');
  await owner.close();
});
afterAll(async () => {
  await database.close();
  await testing.close();
});

const settings = (...keys: string[]) => ({
  OUTDIAL_DATABASE_URL: testing.url,
  OUTDIAL_ENCRYPTION_KEYS: keys.join(','),
});
const rotate = (...keys: string[]) => outdialHere(['secrets', 'rotate'], settings(...keys));
const found = async (...keys: string[]) => storedSecretsFinding(readEnv(settings(...keys)), database.db);

test('a key that has sealed something is named by `outdial doctor` as long as it is needed, and when it is missing', async () => {
  expect(await found(k1)).toMatchObject([{ state: 'ok', message: 'all are sealed with k1, the first of the keys' }]);
  expect(await found(k2, k1)).toMatchObject([
    { state: 'warning', message: '2 stored secrets are sealed with the key "k1", which is not the first here.' },
  ]);
  const missing = await found(k2);
  expect(missing).toMatchObject([
    { state: 'failed', message: expect.stringContaining('"k1", which is not in OUTDIAL_ENCRYPTION_KEYS') },
  ]);
  expect(missing[0]?.remedy).toContain('outdial secrets rotate');
});

test('`outdial secrets rotate` says with which key all is sealed, or fails if a process has stored something with another one meanwhile', async () => {
  // A process whose first key is still the old one: whenever the secret is sealed again, it stores its own.
  await asOwner(`
    create function stored_again() returns trigger language plpgsql as $$
      begin new.webhook_secret_sealed := old.webhook_secret_sealed; return new; end $$;
    create trigger stored_again before update on accounts for each row execute function stored_again()`);
  const early = await rotate(k2, k1);
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('not sealed with k2')]);
  expect(early.stderr).toContain('1 with k1.');
  expect(early.stdout).toContain('api_keys.secret_sealed: 1 sealed again\n');

  await asOwner('drop trigger stored_again on accounts');
  const late = await rotate(k2, k1);
  expect([late.code, late.stderr]).toEqual([0, '']);
  expect(late.stdout).toContain('All stored secrets are sealed with k2.\n');
  expect(await found(k2)).toMatchObject([{ state: 'ok' }]);
});

async function asOwner(statement: string): Promise<void> {
  const owner = openDatabase({ url: testing.url, poolSize: 1, name: 'owner' });
  await owner.pool.query(statement);
  await owner.close();
}
