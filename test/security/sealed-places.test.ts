import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { signToken } from '../../platform/token.js';
import { anAccount, anotherApp, api, here, useApi } from '../api/support.js';
import { aGateway, aRule, rowsOf } from '../api/support-resources.js';

useApi();

const copy = (table: string, column: string, from: string, to: string) =>
  rowsOf(`update ${table} set ${column} = (select ${column} from ${table} where id = $1) where id = $2`, [from, to]);

test('P3-9: who writes the database cannot enter an account by copying the secret of an own key to its key', async () => {
  const lines: string[] = [];
  const into = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const app = await anotherApp({ logger: pino({ level: 'error' }, into) });
  const [victim, attacker] = [await anAccount('Victim'), await anAccount('Attacker')];
  await copy('api_keys', 'secret_sealed', attacker.key.id, victim.key.id);
  const forged = await signToken(attacker.secret, { keyId: victim.key.id });
  expect((await api.get('/v1/account', { token: forged, app })).status).toBe(500);
  expect(lines.join('')).toContain(
    `The sealed api-key of ${victim.account.id} ${victim.key.id} is damaged, or was sealed for another row.`,
  );
  expect(lines.join('')).not.toContain(attacker.secret);
  expect((await api.get('/v1/account', { token: attacker.token, app })).status).toBe(200);
});

test('P3-9: nor read another account’s webhook secret by copying it to the own row', async () => {
  const [victim, attacker] = [await anAccount('Victim'), await anAccount('Attacker')];
  await copy('accounts', 'webhook_secret_sealed', victim.account.id, attacker.account.id);
  const answer = await api.get('/v1/account/webhook-secret', { token: attacker.token });
  expect(answer.status).toBe(500);
  expect(answer.text).not.toContain('whsec_');
});

test('P3-9: nor move a row with its secret to another account', async () => {
  const [victim, attacker] = [await anAccount('Victim'), await anAccount('Attacker')];
  await rowsOf('update api_keys set account_id = $1 where id = $2', [victim.account.id, attacker.key.id]);
  expect((await api.get('/v1/account', { token: attacker.token })).status).toBe(500);
});

test('P3-9: a trunk is not asked with the password of another gateway', async () => {
  const auth = { username: 'me', password: 'correct horse' };
  const [one, other] = [await aGateway('outbound', { auth }), await aGateway('outbound', { auth })];
  await copy('gateways', 'auth_password_sealed', one.id, other.id);
  const { deps } = here();
  const [row] = await rowsOf<{ sealed: string }>('select auth_password_sealed as sealed from gateways where id = $1', [
    other.id,
  ]);
  const place = { kind: 'gateway-password', owner: [here().me.account.id, other.id] };
  expect(() => deps.secretBox.open(row!.sealed, place)).toThrow('was sealed for another row');
});

test('P3-9: a rotated webhook secret opens in the column of the previous one', async () => {
  const { token } = await anAccount();
  const before = (await api.get('/v1/account/webhook-secret', { token })).body as { secret: string };
  expect((await api.post('/v1/account/webhook-secret/rotate', undefined, { token })).body).toMatchObject({
    previousSecret: before.secret,
  });
});

interface Rule {
  readonly room: { readonly pin?: string };
}
const room = (pin: string) => ({ type: 'static', id: 'desk', pin });
const aRuleWithPin = (pin: string) => aRule({ room: room(pin) });
const getRule = (id: string) => api.get(`/v2/sip/routing-rule/${id}`);
const patchRule = async (id: string, body: object) => {
  const { status, body: rule } = await api.patch(`/v2/sip/routing-rule/${id}`, body);
  expect(status).toBe(200);
  return (rule as Rule).room.pin;
};
const storedOf = async (id: string) =>
  (
    await rowsOf<{ pin: string | null; sealed: string | null }>(
      'select room_pin as pin, room_pin_sealed as sealed from routing_rules where id = $1',
      [id],
    )
  )[0];

test('security P2-4: the PIN of a room is sealed, by every change of its rule, and goes when it is taken away', async () => {
  const id = await aRuleWithPin('490127');
  const stored = await storedOf(id);
  expect(stored).toEqual({ pin: 'sealed', sealed: expect.stringMatching(/^v2\./) });
  const place = { kind: 'room-pin', owner: [here().me.account.id, id] };
  expect(here().deps.secretBox.open(stored?.sealed ?? '', place)).toBe('490127');
  expect((await rowsOf('select * from routing_rules where id = $1', [id])).map((row) => JSON.stringify(row))).toEqual([
    expect.not.stringContaining('490127'),
  ]);

  expect(await patchRule(id, { name: 'Changed' })).toBe('490127');
  expect(await patchRule(id, { room: room('490128') })).toBe('490128');
  expect(await storedOf(id)).toMatchObject({ pin: 'sealed' });
  expect(await patchRule(id, { room: { type: 'static', id: 'desk' } })).toBeUndefined();
  expect(await storedOf(id)).toEqual({ pin: null, sealed: null });
});

test('security P2-4: what the version before writes into a rule beside this one holds, and the next change seals it', async () => {
  const id = await aRuleWithPin('490127');
  await rowsOf("update routing_rules set room_pin = '5' where id = $1", [id]);
  expect((await getRule(id)).body).toMatchObject({ room: { pin: '5' } });
  expect(await patchRule(id, { name: 'Changed' })).toBe('5');
  expect(await storedOf(id)).toMatchObject({ pin: 'sealed' });
  expect((await getRule(id)).body).toMatchObject({ room: { pin: '5' } });

  await rowsOf('update routing_rules set room_pin = null where id = $1', [id]);
  expect(((await getRule(id)).body as Rule).room).not.toHaveProperty('pin');
});

test('security P2-4: a rule whose PIN is sealed is not stored without it', async () => {
  const id = await aRuleWithPin('490127');
  await expect(rowsOf('update routing_rules set room_pin_sealed = null where id = $1', [id])).rejects.toThrow(
    'sealed_pins_are_there',
  );
});

test('P3-9: a PIN that was copied to another rule does not open there', async () => {
  const [one, other] = [await aRuleWithPin('490127'), await aRuleWithPin('1')];
  await copy('routing_rules', 'room_pin_sealed', one, other);
  const answer = await getRule(other);
  expect([answer.status, answer.text]).toEqual([200, expect.not.stringContaining('490127')]);
  expect(JSON.parse(answer.text)).toMatchObject({ room: { pin: '••••' }, problem: expect.stringContaining('PIN') });
});
