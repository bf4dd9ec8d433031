import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createAccount, type NewAccount } from '../../../api/account/accounts.js';
import { type Database, openDatabase } from '../../../db/client.js';
import { rotateWebhookSecret } from '../../../db/queries/accounts/accounts.js';
import { resealSecrets, sealPins } from '../../../db/queries/accounts/sealed-secrets.js';
import { sealedColumns, secretPlaces } from '../../../domain/account/secret-places.js';
import { pinOf } from '../../../domain/call/room-pin.js';
import { createSecretBox } from '../../../platform/secret-box.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { sealedUnbound } from '../../setup/unbound-secret.js';
import { lockWaits } from '../../setup/lock-waits.js';
import { program, runOutdial } from './commands.js';

const key = `k1:${randomBytes(32).toString('base64')}`;
const box = createSecretBox([key]);
const open: { testing: TestDatabase; database: Database }[] = [];
let database: Database;
let settings: Record<string, string>;
let accounts: NewAccount[];

/** Two accounts, whose secrets were sealed by the version before. */
beforeEach(async () => {
  const testing = await testDatabase();
  database = openDatabase({ url: testing.url, poolSize: 6, name: 'test' });
  open.push({ testing, database });
  settings = { OUTDIAL_DATABASE_URL: testing.url, OUTDIAL_ENCRYPTION_KEYS: key };
  accounts = [await createAccount(database.db, box, 'A'), await createAccount(database.db, box, 'B')];
  for (const { account, key: apiKey, secret } of accounts) {
    const { db } = database;
    const old = (text: string) => sealedUnbound(key, text);
    await db
      .updateTable('accounts')
      .set({ webhook_secret_sealed: old('whsec_YQ==') })
      .where('id', '=', account.id)
      .execute();
    await db
      .updateTable('api_keys')
      .set({ secret_sealed: old(secret) })
      .where('id', '=', apiKey.id)
      .execute();
  }
});
afterAll(async () => {
  for (const { testing, database } of open) {
    await database.close();
    await testing.close();
  }
});

const never = (error: Error): never => {
  throw error;
};

/** How many envelopes each form has, over all columns. */
async function forms(): Promise<{ readonly v1: number; readonly v2: number }> {
  const all = Object.keys(sealedColumns).map((name) => {
    const [table, column] = name.split('.');
    return `select ${column} as sealed from ${table}`;
  });
  const { rows } = await database.pool.query<{ v1: number; v2: number }>(
    `select count(*) filter (where sealed like 'v1.%')::integer as v1, count(*) filter (where sealed like 'v2.%')::integer as v2
     from (${all.join(' union all ')}) every`,
  );
  return rows[0] ?? { v1: -1, v2: -1 };
}

/** Whether every key's secret opens where it stands, and signs what it signed. */
async function opensAll(): Promise<boolean> {
  const rows = await database.db.selectFrom('api_keys').selectAll().execute();
  return rows.every(({ account_id: accountId, id, secret_sealed: sealed }) => {
    const made = accounts.find((each) => each.key.id === id);
    return box.open(sealed, secretPlaces.apiKey(accountId, id)) === made?.secret;
  });
}

const waiters = () => lockWaits(database.pool);

test('P3-9: every column that holds sealed secrets says whose they are', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and column_name like '%\\_sealed' order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(sealedColumns).sort());
  await database.pool.query('alter table tools add column other_sealed text');
  await expect(resealSecrets(database.db, () => null, never)).rejects.toThrow('tools.other_sealed');
});

test('P3-9: a rotation that was killed in the middle leaves all secrets readable, and the next one finishes it', async () => {
  const holding = await database.pool.connect();
  await holding.query('begin');
  await holding.query('select 1 from api_keys for update');
  const env = { ...process.env, ...settings };
  const rotating = spawn(process.execPath, [program, 'secrets', 'rotate'], { env, stdio: 'ignore' });
  const ended = once(rotating, 'exit');
  await expect.poll(waiters).toBe(1);
  rotating.kill('SIGKILL');
  await ended;
  await holding.query('rollback');
  holding.release();
  // PostgreSQL may still carry out the one statement that it had been sent.
  const { v1, v2 } = await forms();
  expect([v1 + v2, v1 > 0, v2 > 1]).toEqual([4, true, true]);
  expect(await opensAll()).toBe(true);

  const { stdout } = await runOutdial(['secrets', 'rotate'], settings);
  expect(stdout).toMatch(/^api_keys\.secret_sealed: [12] sealed again$/m);
  expect(await forms()).toEqual({ v1: 0, v2: 4 });
  expect(await opensAll()).toBe(true);
});

test('P3-9: two rotations at once leave nothing unbound, and nothing unreadable', async () => {
  const holding = await database.pool.connect();
  await holding.query('begin');
  await holding.query('select 1 from accounts for update');
  const reseal = () => resealSecrets(database.db, (envelope, place) => box.reseal(envelope, place), never);
  const both = [reseal(), reseal()];
  await expect.poll(waiters).toBe(2);
  await holding.query('rollback');
  holding.release();
  const counts = (await Promise.all(both)).flat().map(({ count }) => count);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4);
  expect(await forms()).toEqual({ v1: 0, v2: 4 });
  expect(await opensAll()).toBe(true);
});

test('P3-9: a webhook secret that its account rotates meanwhile is bound too, and opens in its new column', async () => {
  const [{ account }] = accounts as [NewAccount];
  const place = secretPlaces.webhookSecret(account.id);
  let resealing: Promise<unknown> | undefined;
  await database.db.transaction().execute(async (tx) => {
    await rotateWebhookSecret(tx, account.id, box.seal('whsec_Yg==', place));
    resealing = resealSecrets(database.db, (envelope, at) => box.reseal(envelope, at), never);
    await expect.poll(waiters).toBe(1);
  });
  await resealing;
  expect(await forms()).toEqual({ v1: 0, v2: 5 });
  const row = await database.db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', account.id)
    .executeTakeFirstOrThrow();
  expect(box.open(row.webhook_secret_sealed, place)).toBe('whsec_Yg==');
  expect(box.open(row.previous_webhook_secret_sealed ?? '', place)).toBe('whsec_YQ==');
});

test('security P2-4: PINs that the version before has stored are sealed by a rotation, and none that changes meanwhile is lost', async () => {
  const [{ account }] = accounts as [NewAccount];
  const rule = (id: string, pin: string | null) => ({
    ...{ id, account_id: account.id, type: 'inbound', name: id, room_pin: pin },
  });
  await database.db
    .insertInto('routing_rules')
    .values([rule('rule_1', '490127'), rule('rule_2', '11'), rule('rule_3', null)])
    .execute();
  let sealing: Promise<number> | undefined;
  await database.db.transaction().execute(async (tx) => {
    await tx.updateTable('routing_rules').set({ room_pin: '22' }).where('id', '=', 'rule_2').execute();
    sealing = sealPins(database.db, (pin, place) => box.seal(pin, place));
    await expect.poll(waiters).toBe(1);
  });
  expect(await sealing).toBe(1);
  expect((await runOutdial(['secrets', 'rotate'], settings)).stdout).toContain('routing_rules.room_pin: 1 sealed\n');
  const rows = await database.db.selectFrom('routing_rules').selectAll().orderBy('id').execute();
  expect(rows.map(({ room_pin: pin }) => pin)).toEqual(['sealed', 'sealed', null]);
  const pins = rows.map((row) =>
    pinOf(
      { roomPin: row.room_pin, roomPinSealed: row.room_pin_sealed },
      { accountId: row.account_id, ruleId: row.id },
      (sealed, place) => box.open(sealed, place),
    ),
  );
  expect(pins).toEqual(['490127', '22', null]);
  expect((await runOutdial(['secrets', 'rotate'], settings)).stdout).not.toContain('room_pin:');
});

test('a secret that cannot be opened is named, and those of other accounts are sealed again all the same', async () => {
  const [{ account }] = accounts as [NewAccount];
  const damaged = sealedUnbound(key, 'whsec_YQ==').replace('v1.k1.', 'v1.lost.');
  const { db } = database;
  await db.updateTable('accounts').set({ webhook_secret_sealed: damaged }).where('id', '=', account.id).execute();
  const { code, stdout, stderr } = await runOutdial(['secrets', 'rotate'], settings);
  expect(code).toBe(1);
  expect(stderr).toContain(account.id);
  expect(stderr).toContain('Secrets that cannot be opened: 1.');
  expect(stdout).toContain('accounts.webhook_secret_sealed: 1 sealed again');
  expect(await forms()).toEqual({ v1: 1, v2: 3 });
});
