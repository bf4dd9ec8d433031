import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aRoute, csv, fields, multipart, send, type Part } from '../support.js';

const validate = async (parts: readonly Part[]) => {
  const { body, contentType } = multipart(parts);
  const response = await api.post('/v1/batch-calls/validate', body, { headers: { 'content-type': contentType } });
  return { status: response.status, body: response.body };
};

test.each<[string, (phoneNumber: string) => Part[]]>([
  [
    'everything wrong at once',
    () => [csv('x', 'a.txt'), ...fields({ name: '', retry: '{', colour: 'red', schedule: { date: 'x' } })],
  ],
  ['no file', (phoneNumber) => fields({ name: 'A', phoneNumber })],
  [
    'a past start',
    (phoneNumber) => [csv(), ...fields({ name: 'A', phoneNumber, schedule: { date: '2020-01-01', time: '10:00' } })],
  ],
])('%s is refused with the answer of create', async (_what, partsFor) => {
  const parts = partsFor((await aRoute()).phoneNumber);
  const created = await send(parts);
  expect(created.status).toBe(400);
  expect(await validate(parts)).toEqual({ status: 400, body: created.body });
});

test('a number that cannot call is refused as create does', async () => {
  const { phoneNumber } = await aRoute({ gateway: false });
  expect(await validate([csv(), ...fields({ name: 'A', phoneNumber })])).toEqual({
    status: 400,
    body: { error: expect.stringContaining('no outbound gateway') as unknown },
  });
});
