import { expect, test } from 'vitest';
import { anAccount } from '../../support.js';
import { aRoute, csv, fields, send, stored } from '../support.js';

const answer = async (values: Readonly<Record<string, string>>) => {
  const { status, body } = await send([csv(), ...fields({ name: 'A', ...values })]);
  return { status, body };
};
const noNumber = { status: 404, body: { message: 'Phone number not found' } };
const noRule = { status: 404, body: { error: 'Routing rule not found' } };

// shows: batch.create.number, errors.number-404, batch.create.unknown-number
test('a number that the account does not have is not found, whoever else has it', async () => {
  const mine = await aRoute();
  const { account } = await anAccount();
  const theirs = await aRoute({ accountId: account.id });
  const before = await stored();

  expect(await answer({ phoneNumber: '+919999999999' })).toEqual(noNumber);
  expect(await answer({ phoneNumber: theirs.phoneNumber })).toEqual(noNumber);
  expect(await answer({ phoneNumberId: theirs.phoneNumberId })).toEqual(noNumber);
  expect(await answer({ phoneNumberId: 'not an id' })).toEqual(noNumber);
  expect(await answer({ phoneNumber: '+919999999999', phoneNumberId: mine.phoneNumberId })).toEqual(noNumber);
  expect(await stored()).toEqual(before);
});

// shows: batch.create.unknown-rule
test('a rule that the account does not have is not found, whoever else has it', async () => {
  const { phoneNumber } = await aRoute();
  const { account } = await anAccount();
  const theirs = await aRoute({ accountId: account.id });
  const before = await stored();

  expect(await answer({ phoneNumber, routingRuleId: 'rule_1' })).toEqual(noRule);
  expect(await answer({ phoneNumber, routingRuleId: theirs.ruleId })).toEqual(noRule);
  expect(await stored()).toEqual(before);
});
