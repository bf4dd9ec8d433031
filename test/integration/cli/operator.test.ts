import { randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { secretPlaces } from '../../../domain/account/secret-places.js';
import { findActiveKey } from '../../../db/queries/accounts/keys.js';
import { openDatabase } from '../../../db/client.js';
import { createSecretBox } from '../../../platform/secret-box.js';
import { verifyToken } from '../../../platform/token.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { type Ended, outdialHere, runOutdial, type Settings } from './commands.js';

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const oldKey = newKey('old');
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const settingsWith = (keys: string): Settings => ({
  OUTDIAL_DATABASE_URL: database.url,
  OUTDIAL_ENCRYPTION_KEYS: keys,
});
const outdial = (args: readonly string[], keys = oldKey): Promise<Ended> => outdialHere(args, settingsWith(keys));

const json = async (args: readonly string[], keys = oldKey): Promise<Record<string, string>> => {
  const { code, stdout, stderr } = await outdial([...args, '--json'], keys);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, string>;
};

/** As the API does it: the secret is opened with the configured keys, and signs the token. */
async function accepts(token: string, keys = oldKey): Promise<boolean> {
  const opened = openDatabase({ url: database.url, poolSize: 1, name: 'test' });
  const box = createSecretBox(keys.split(','));
  const secretOf = async (id: string) => {
    const key = await findActiveKey(opened.db, id);
    return key === null ? null : box.open(key.secretSealed, secretPlaces.apiKey(key.accountId, id));
  };
  try {
    return await verifyToken(token, secretOf).then(
      () => true,
      () => false,
    );
  } finally {
    await opened.close();
  }
}

test('the built program makes an account, refuses a wrong command with code 1, and needs no more than its settings', async () => {
  const made = await runOutdial(['account', 'create', 'By process', '--json'], settingsWith(oldKey));
  expect({ ...made, stdout: '' }).toEqual({ code: 0, stdout: '', stderr: '' });
  const { token } = JSON.parse(made.stdout) as { token: string };
  expect(await accepts(token)).toBe(true);
  const none = await runOutdial(['account', 'suspend', 'Nobody'], settingsWith(oldKey));
  expect(none).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining('There is no account Nobody') });
});

// shows: token.cli
test('an account comes with a key and a token that the API accepts, until the key is deactivated', async () => {
  const account = await json(['account', 'create', 'Acme']);
  expect(Object.keys(account).sort()).toEqual(['accountId', 'keyId', 'name', 'secret', 'token']);
  expect(await accepts(account.token!)).toBe(true);
  expect((await outdial(['account', 'list'])).stdout).toMatch(new RegExp(`^${account.accountId!}  .*  Acme$`, 'm'));

  const second = await json(['key', 'create', '--account', account.accountId!, '--name', 'CI']);
  expect(await accepts(second.token!)).toBe(true);
  expect((await outdial(['key', 'deactivate', second.keyId!])).code).toBe(0);
  expect(await accepts(second.token!)).toBe(false);
  expect(await accepts(account.token!)).toBe(true);
  const listed = await outdial(['key', 'list', '--account', account.accountId!]);
  expect(listed.stdout).toMatch(new RegExp(`^${second.keyId!}  .*deactivated`, 'm'));
  expect(listed.stdout).not.toContain(account.secret!);
});

// shows: token.cli
test('a token can be limited in time and in what it may do', async () => {
  const { keyId } = await json(['account', 'create', 'Tokens']);
  const { token } = await json(['token', 'issue', '--key', keyId!, '--ttl', '2h', '--permissions', 'read']);
  const claims = decodeJwt(token!);
  expect(claims).toMatchObject({ apikey: keyId, permissions: ['read'] });
  expect(claims.exp! - claims.iat!).toBe(7200);
  expect(await accepts(token!)).toBe(true);
});

test('a key can be limited, and signs no token that goes beyond it', async () => {
  const { accountId } = await json(['account', 'create', 'Limits']);
  const made = await json(['key', 'create', '--account', accountId!, '--permissions', 'read']);
  expect(made).toMatchObject({ permissions: ['read'] });
  expect(decodeJwt(made.token!)).toMatchObject({ permissions: ['read'] });
  expect((await outdial(['key', 'list', '--account', accountId!])).stdout).toMatch(
    new RegExp(`^${made.keyId!}  .*  read  `, 'm'),
  );

  const issue = (...words: string[]) => ['token', 'issue', '--key', made.keyId!, ...words];
  expect(decodeJwt((await json(issue())).token!)).toMatchObject({ permissions: ['read'] });
  const beyond = await outdial(issue('--permissions', 'read', 'playground'));
  expect(beyond.code).toBe(1);
  expect(beyond.stderr).toContain('does not allow playground, only read');
});

test('what is asked of a key, account or time that cannot be is refused in words, and changes nothing', async () => {
  const cases = [
    [['key', 'create', '--account', 'acc_none'], 'There is no account acc_none'],
    [['key', 'deactivate', 'key_none'], 'There is no active key key_none'],
    [['token', 'issue', '--key', 'key_none'], 'There is no active key key_none'],
    [['token', 'issue', '--key', 'key_none', '--ttl', 'soon'], 'A number of seconds'],
    [['token', 'issue', '--key', 'key_none', '--permissions', 'fly'], 'Allowed choices are read, playground'],
  ] as const;
  for (const [args, words] of cases) {
    const { code, stderr } = await outdial(args);
    expect({ args, code }).toEqual({ args, code: stderr.startsWith('error: ') ? 2 : 1 });
    expect(stderr).toContain(words);
  }
});

test('P2-2: an account is suspended and resumed by its name or id, and the list says so', async () => {
  const { accountId } = await json(['account', 'create', 'Late payer']);
  const suspended = await outdial(['account', 'suspend', 'Late payer', '--reason', 'unpaid invoice']);
  expect(suspended.stdout).toContain(`${accountId!} (Late payer) is suspended`);
  expect((await outdial(['account', 'list'])).stdout).toMatch(
    new RegExp(`^${accountId!}  .*suspended since .* \\(unpaid invoice\\)  Late payer$`, 'm'),
  );
  expect((await outdial(['account', 'resume', accountId!])).stdout).toContain('is active again');
  expect((await outdial(['account', 'resume', accountId!])).stdout).toContain('was not suspended');
  expect((await outdial(['account', 'list'])).stdout).toMatch(new RegExp(`^${accountId!}  .*active  Late payer$`, 'm'));

  const none = await outdial(['account', 'suspend', 'Nobody']);
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('There is no account Nobody')]);
  await json(['account', 'create', 'Late payer']);
  const both = await outdial(['account', 'suspend', 'Late payer']);
  expect([both.code, both.stderr]).toEqual([1, expect.stringContaining('There are 2 accounts named Late payer')]);
});

test('P1-4: numbers and hosts are granted, listed and taken back; a number belongs to one account', async () => {
  const [one, other] = [await json(['account', 'create', 'Grants A']), await json(['account', 'create', 'Grants B'])];
  const granted = await outdial([
    'grant',
    'add',
    'Grants A',
    '--number',
    '+14155550100',
    '--host',
    'SIP.Carrier.example.:5061',
  ]);
  expect(granted).toMatchObject({ code: 0 });
  expect(granted.stdout).toContain(`${one.accountId!} (Grants A) may use +14155550100, sip.carrier.example.`);
  expect(granted.stdout).toContain('OUTDIAL_REQUIRE_GRANTS=true, which is not set for this command');
  expect((await outdial(['grant', 'add', other.accountId!, '--host', 'sip.carrier.example'])).code).toBe(0);
  const twice = await outdial(['grant', 'add', 'Grants B', '--number', '+14155550100']);
  expect([twice.code, twice.stderr]).toEqual([
    1,
    expect.stringContaining(`Granted to another account: +14155550100 (${one.accountId!}). Take it back first`),
  ]);
  const listed = (await outdial(['grant', 'list'])).stdout;
  expect(listed).toContain(`${one.accountId!}  number  +14155550100  Grants A`);
  expect(listed).toContain(`${other.accountId!}  host    sip.carrier.example  Grants B`);
  const back = await outdial(['grant', 'revoke', 'Grants A', '--number', '+14155550100', '--number', '+14155550101']);
  expect(back.stdout).toContain('Took back 1 of 2');
  for (const [args, words] of [
    [['grant', 'add', 'Grants B'], 'Give at least one --number or --host'],
    [['grant', 'add', 'Grants B', '--number', '4155550100'], 'A number in E.164 with its +'],
    [['grant', 'add', 'Grants B', '--host', 'sip:carrier'], 'A host without a scheme'],
  ] as const) {
    const { code, stderr } = await outdial(args);
    expect({ args, code, stderr }).toEqual({
      args,
      code: stderr.startsWith('error: ') ? 2 : 1,
      stderr: expect.stringContaining(words),
    });
  }
});

test('P2-8: a number that another account registered first is taken off its inbound gateway if the operator says so', async () => {
  const [owner, squatter] = [await json(['account', 'create', 'Owner']), await json(['account', 'create', 'Squatter'])];
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `with g as (insert into gateways (id, account_id, direction, name, sip_region, address, transport)
        values ('gwi_s', $1, 'inbound', 'In', 'auto', null, null), ('gwo_s', $1, 'outbound', 'Out', 'auto', 'Sip.Own.example:5060', 'tls')),
      n as (insert into phone_numbers (id, account_id, e164, name) values ('num_s', $1, '+14155550300', 'N'))
     insert into number_gateways (account_id, number_id, e164, gateway_id, direction)
     values ($1, 'num_s', '+14155550300', 'gwi_s', 'inbound')`,
    [squatter.accountId],
  );
  const none = await outdial(['grant', 'list', '--account', 'Squatter']);
  expect(none).toEqual({ code: 0, stdout: '', stderr: 'There is nothing to show.\n' });
  const missing = await outdial(['grant', 'list', '--missing', '--account', 'Squatter']);
  expect(missing.stdout).toBe(
    `outdial grant add ${squatter.accountId!} --number +14155550300 --host sip.own.example\n`,
  );
  const add = ['grant', 'add', 'Owner', '--number', '+14155550300'];
  const refused = await outdial(add);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining(`+14155550300 (${squatter.accountId!}). --detach-others takes them off`),
  ]);
  expect((await outdial([...add, '--detach-others'])).stdout).toContain(owner.accountId!);
  expect((await client.query("select 1 from number_gateways where e164 = '+14155550300'")).rowCount).toBe(0);
  await client.end();
});

test('P2-2: all dialing of the service is stopped and resumed by one command', async () => {
  expect((await outdial(['stop-dialing'])).stdout).toBe('All dialing of all accounts is stopped.\n');
  expect((await outdial(['stop-dialing'])).stdout).toContain('was already stopped');
  expect((await outdial(['resume-dialing'])).stdout).toBe('All accounts dial again.\n');
  expect((await outdial(['resume-dialing'])).stdout).toContain('was not stopped');
});

// shows: token.secrets-rotate
test('`secrets rotate` leaves nothing sealed with the old key, and every token goes on working', async () => {
  const { token } = await json(['account', 'create', 'Rotation']);
  const fresh = newKey('fresh');
  const { code, stdout } = await outdial(['secrets', 'rotate'], `${fresh},${oldKey}`);
  expect({ code, stdout }).toMatchObject({ code: 0 });
  expect(stdout).toMatch(/^api_keys\.secret_sealed: [1-9]\d* sealed again$/m);
  expect(stdout).toMatch(/^accounts\.webhook_secret_sealed: [1-9]\d* sealed again$/m);
  expect(await accepts(token!, fresh)).toBe(true);

  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const old = await client.query(
    "select 1 from api_keys where secret_sealed like '%.old.%' union all select 1 from accounts where webhook_secret_sealed like '%.old.%'",
  );
  await client.end();
  expect(old.rowCount).toBe(0);
  expect((await outdial(['secrets', 'rotate'], `${fresh},${oldKey}`)).stdout).not.toMatch(/ [1-9]\d* sealed again/);
});

test('`migrate` says that there is nothing to do if there is nothing', async () => {
  expect((await outdial(['migrate'])).stdout).toBe('The schema is up to date.\n');
});
