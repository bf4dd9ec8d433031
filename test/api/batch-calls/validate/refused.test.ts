import { describe, expect, test } from 'vitest';
import { api } from '../../support.js';
import { aRoute, csv, fields, multipart, type Part, send } from '../support.js';

describe('400', () => {
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
});

describe('404', () => {
  const validate = async (values: object) => {
    const { body, contentType } = multipart([csv(), ...fields({ name: 'A', ...values })]);
    const response = await api.post('/v1/batch-calls/validate', body, { headers: { 'content-type': contentType } });
    return { status: response.status, body: response.body };
  };

  test('a number and a rule that the account does not have are not found, each in the words of create', async () => {
    const { phoneNumber } = await aRoute();
    expect(await validate({ phoneNumber: '+14155550111' })).toEqual({
      status: 404,
      body: { message: 'Phone number not found' },
    });
    expect(await validate({ phoneNumber, routingRuleId: 'rule_nothing' })).toEqual({
      status: 404,
      body: { error: 'Routing rule not found' },
    });
  });
});

describe('413', () => {
  test('a file of one byte too many is refused as create does', async () => {
    const file = csv('phone_number\n'.padEnd(5_242_881, '\n'));
    const { body, contentType } = multipart([
      file,
      ...fields({ name: 'A', phoneNumber: (await aRoute()).phoneNumber }),
    ]);
    const response = await api.post('/v1/batch-calls/validate', body, { headers: { 'content-type': contentType } });
    expect([response.status, response.body]).toEqual([
      413,
      { message: expect.any(String) as unknown, errors: [expect.stringMatching(/^file: /) as unknown] },
    ]);
  });
});
