import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aNumber, aRegisteredNumber, rowsOf } from '../../support-resources.js';

const create = (numbers: string[], token?: string) =>
  api.post('/v2/sip/inbound-gateways', { name: 'In', numbers }, token === undefined ? {} : { token });

test('a number has one inbound gateway over all accounts, and nobody learns whose', async () => {
  const mine = await aRegisteredNumber();
  const stranger = await anAccount();

  const [own, others] = [await create([mine.e164]), await create([mine.e164], stranger.token)];

  expect([own.status, others.status]).toEqual([409, 409]);
  expect(own.body).toEqual({ message: `These numbers already have an inbound gateway: ${mine.e164}` });
  expect(others.body).toEqual(own.body);
  expect(await rowsOf('select 1 from phone_numbers where account_id = $1', [stranger.account.id])).toEqual([]);
  expect(await rowsOf('select 1 from gateways where account_id = $1', [stranger.account.id])).toEqual([]);
});

test('of gateways of several accounts made for one number at the same time exactly one is stored', async () => {
  const numbers = [aNumber(), aNumber()];
  const tokens = await Promise.all(Array.from({ length: 4 }, async () => (await anAccount()).token));
  const responses = await Promise.all(
    tokens.flatMap((token) => [create(numbers, token), create([...numbers].reverse(), token)]),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  expect(await rowsOf(`select 1 from number_gateways where e164 = any($1)`, [numbers])).toHaveLength(2);
});
