import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aRoute, csv, fields, multipart } from '../support.js';

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
