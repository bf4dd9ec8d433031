import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resealSecrets, secretsByKey } from '../../../db/queries/accounts/sealed-secrets.js';
import { secretPlaces } from '../../../domain/account/secret-places.js';
import { createSecretBox, type SecretBox } from '../../../platform/secret-box.js';
import { preDialEndpoint, type PreDialEndpoint } from '../../setup/pre-dial-endpoint.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv, type Gateway } from './test-env.js';

const key = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;
const [k1, k2] = [key('k1', 1), key('k2', 2)];
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

let testEnv: DialerTestEnv;
let endpoint: PreDialEndpoint;
let gateway: Gateway;
beforeEach(async () => {
  testEnv = await dialerTestEnv({ speed: 50 });
  endpoint = await preDialEndpoint();
  gateway = await testEnv.gateway();
});
afterEach(async () => {
  await endpoint.close();
  await testEnv.close();
});

const db = () => testEnv.database.db;
const dialed = () => testEnv.ledger().flatMap(({ event, to }) => (event === 'invite' ? [to] : []));
const settled = async (batchId: string) =>
  (await db().selectFrom('calls').select('settled').where('batch_id', '=', batchId).execute()).every(
    ({ settled }) => settled,
  );
const asked = (onError: 'skip' | 'wait') =>
  testEnv.batch(gateway, { preDial: { url: endpoint.url, timeoutMs: 2_000, onError } });
const dialerWith = (box: SecretBox) =>
  testEnv.dialer(undefined, 15, undefined, (sealed, place) => box.open(sealed, place));

/** What an api does to which a password and a webhook secret are sent. */
async function storeSecrets(box: SecretBox): Promise<void> {
  const { id, accountId } = gateway;
  await db()
    .updateTable('gateways')
    .set({
      auth_username: 'outdial',
      auth_password_sealed: box.seal('correct horse', secretPlaces.gatewayPassword(accountId, id)),
    })
    .where('id', '=', id)
    .execute();
  await db()
    .updateTable('accounts')
    .set({ webhook_secret_sealed: box.seal(secret, secretPlaces.webhookSecret(accountId)) })
    .where('id', '=', accountId)
    .execute();
}

const never = (error: Error): never => {
  throw error;
};
const rotate = (box: SecretBox) => resealSecrets(db(), (envelope, place) => box.reseal(envelope, place), never);
const suspensions = async () =>
  (await db().selectFrom('gateway_admission').select('suspended_reason').execute()).filter(
    ({ suspended_reason: reason }) => reason !== null,
  );

test('while keys are changed in the documented order, processes of two steps call everybody once, and none meets a secret that it cannot open', async () => {
  const boxes = [[k1], [k1, k2], [k2, k1], [k2]].map((keys) => createSecretBox(keys));
  const numbers = numbersEndingIn(7, 30);
  for (const [step, newer] of boxes.slice(1).entries()) {
    const [older = newer] = boxes.slice(step);
    if (step === 2) {
      await rotate(older);
      expect([...(await secretsByKey(db())).keys()]).toEqual(['k2']);
    }
    await storeSecrets(older);
    const batchId = await asked('skip');
    const own = numbers.slice(step * 10, (step + 1) * 10);
    await testEnv.calls(gateway, batchId, own);
    const dialers = [await dialerWith(older), await dialerWith(newer)];
    // Both kinds write while both read, and from the second step on the command goes over all of it.
    for (let turn = 0; turn < 6 || !(await settled(batchId)); turn += 1) {
      await Promise.all([storeSecrets(turn % 2 === 0 ? newer : older), ...(step === 1 ? [rotate(newer)] : [])]);
    }
    for (const dialer of dialers) await dialer.close();
    expect(await suspensions()).toEqual([]);
  }
  expect(dialed().toSorted()).toEqual(numbers.toSorted());
  for (const { body, headers } of endpoint.questions) {
    expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
  }
  const { rows } = await testEnv.database.pool.query('select status from calls');
  expect(rows).toEqual(numbers.map(() => ({ status: 'answered' })));
});

test('a dialer that lacks the key of a webhook secret skips no recipient for it: they wait, until one that has it asks about them', async () => {
  await storeSecrets(createSecretBox([k2, k1]));
  await sql`update gateways set auth_username = null, auth_password_sealed = null`.execute(db());
  const batchId = await asked('skip');
  const numbers = numbersEndingIn(7, 5);
  await testEnv.calls(gateway, batchId, numbers);
  const old = await dialerWith(createSecretBox([k1]));
  const problems = async () =>
    (await sql`select 1 from pre_dial_lanes where last_error like 'the webhook secret cannot be read%'`.execute(db()))
      .rows;
  await until(async () => (await settled(batchId)) || (await problems()).length === 1);
  await old.close();
  expect([endpoint.numbers(), dialed(), await settled(batchId)]).toEqual([[], [], false]);
  await dialerWith(createSecretBox([k2, k1]));
  await until(() => settled(batchId));
  expect(dialed().toSorted()).toEqual(numbers.toSorted());
});
