import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aRegisteredNumber, rowsOf } from '../../support-resources.js';

const inbound = (phoneNumbers: string[]) =>
  api.post('/v2/sip/routing-rule', { name: 'In', type: 'inbound', phoneNumbers });

// shows: rule.one-inbound
test('a number has at most one inbound rule: the second names the number and is not stored', async () => {
  const [taken, free] = [(await aRegisteredNumber()).e164, (await aRegisteredNumber()).e164];
  expect((await inbound([taken])).status).toBe(201);

  const response = await inbound([free, taken]);

  expect(response.status).toBe(409);
  expect(response.body).toEqual({ message: expect.stringContaining(taken) });
  expect(await rowsOf('select 1 from routing_rules')).toHaveLength(1);
  expect((await inbound([free])).status).toBe(201);
});

// shows: rule.one-inbound
test('of inbound rules for one number made at the same time exactly one is stored', async () => {
  const { e164 } = await aRegisteredNumber();
  const statuses = (await Promise.all(Array.from({ length: 6 }, () => inbound([e164])))).map(({ status }) => status);
  expect(statuses.sort()).toEqual([201, 409, 409, 409, 409, 409]);
});

test('inbound rules for the same numbers in any order never wait for each other in a circle', async () => {
  const numbers = await Promise.all(Array.from({ length: 20 }, async () => (await aRegisteredNumber()).e164));
  const orders = [numbers, [...numbers].reverse(), numbers, [...numbers].reverse()];
  const statuses = (await Promise.all(orders.map(inbound))).map(({ status }) => status);
  expect(statuses.sort()).toEqual([201, 409, 409, 409]);
});
