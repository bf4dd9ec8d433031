import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aNumber, aRegisteredNumber, rowsOf } from '../../support-resources.js';

const create = (numbers: string[], token?: string) =>
  api.post(
    '/v2/sip/outbound-gateways',
    { name: 'Out', address: 'sip.carrier.example', numbers },
    token === undefined ? {} : { token },
  );

test('a number has one outbound gateway: a second names it, and nothing is stored', async () => {
  const { e164 } = await aRegisteredNumber();
  const fresh = aNumber();
  const response = await create([fresh, e164]);
  expect(response.status).toBe(409);
  expect(response.body).toEqual({ message: `These numbers already have an outbound gateway: ${e164}` });
  expect(await rowsOf('select 1 from phone_numbers where e164 = $1', [fresh])).toEqual([]);
});

test('two accounts may call from one number', async () => {
  const { e164 } = await aRegisteredNumber();
  const other = await anAccount();
  expect((await create([e164], other.token)).status).toBe(201);
});

test('of gateways made for one number at the same time exactly one is stored', async () => {
  const numbers = [aNumber(), aNumber()];
  const responses = await Promise.all(
    Array.from({ length: 6 }, (_, index) => create(index % 2 === 0 ? numbers : [...numbers].reverse())),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
});
