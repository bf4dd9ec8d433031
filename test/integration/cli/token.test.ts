import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, type NewAccount } from '../../../api/account/accounts.js';
import { issueToken } from '../../../api/account/keys.js';
import { type Database, openDatabase } from '../../../db/client.js';
import { revocationHash } from '../../../platform/token.js';
import { createSecretBox } from '../../../platform/secret-box.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { type Ended, outdialHere, runOutdial, type Settings } from './commands.js';

const keys = `k1:${randomBytes(32).toString('base64')}`;
const box = createSecretBox([keys]);
let testing: TestDatabase;
let database: Database;
let account: NewAccount;
beforeAll(async () => {
  testing = await testDatabase();
  database = openDatabase({ url: testing.url, poolSize: 2, name: 'test' });
  account = await createAccount(database.db, box, 'Acme');
});
afterAll(async () => {
  await database.close();
  await testing.close();
});

const given = (settings: Settings): Settings => ({
  ...{ OUTDIAL_DATABASE_URL: testing.url, OUTDIAL_ENCRYPTION_KEYS: keys },
  ...settings,
});
const outdial = (args: readonly string[], settings: Settings = {}): Promise<Ended> =>
  outdialHere(['token', ...args], given(settings));
const byProcess = (args: readonly string[]): Promise<Ended> => runOutdial(['token', ...args], given({}));

test('P3-7: the operator revokes one token, and all of a key up to a time, and lists both', async () => {
  const one = await issueToken(database.db, box, account.key.id, { ttlSeconds: 3_600 });
  const revoked = await outdial(['revoke', one]);
  const both = await Promise.all([byProcess(['revoke', one]), byProcess(['revoke', one])]);
  expect(revoked.stdout).toContain(`The token of ${account.key.id} (${account.account.id}) is revoked`);
  expect(both.map(({ code, stdout }) => [code, stdout])).toEqual(
    Array(2).fill([0, expect.stringContaining('was already revoked')]),
  );
  const ofKey = await outdial(['revoke', '--key', account.key.id, '--issued-before', '2026-01-02T03:04:05Z']);
  expect(ofKey.stdout).toContain('issued before 2026-01-02T03:04:05.000Z are revoked');
  const listed = JSON.parse((await outdial(['list', '--account', 'Acme', '--json'])).stdout) as object;
  expect(listed).toMatchObject({
    tokens: [{ tokenHash: revocationHash(one), keyId: account.key.id }],
    keys: [{ keyId: account.key.id, tokensNotBefore: '2026-01-02T03:04:05.000Z' }],
  });
  const { rows } = await database.pool.query<{ action: string }>(
    "select action from audit_log where action like 'token.%' order by id",
  );
  expect(rows.map(({ action }) => action)).toEqual(['token.revoke', 'token.revoke-before']);
});

test('P3-7: what cannot be revoked is said in words, and a token longer than the service allows is not made', async () => {
  const key = ['--key', account.key.id];
  for (const [args, words] of [
    [['revoke'], 'Give one token, or --key.'],
    [['revoke', 'no.token.here'], 'This is not a working token'],
    [['revoke', '--key', 'key_none'], 'There is no key key_none'],
    [['revoke', ...key, '--issued-before', '2999-01-01T00:00:00Z'], 'lies in the future'],
    [['issue', ...key, '--ttl', '2h'], 'No token lives longer than the 3600 seconds'],
  ] as const) {
    const { code, stderr } = await outdial(args, { OUTDIAL_MAX_TOKEN_SECONDS: '3600' });
    expect({ args, code, stderr }).toEqual({
      args,
      code: stderr.startsWith('error: ') || stderr.includes('--issued-before') ? 2 : 1,
      stderr: expect.stringContaining(words),
    });
  }
});
