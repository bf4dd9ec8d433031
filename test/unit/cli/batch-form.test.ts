import { expect, test } from 'vitest';
import { batchForm } from '../../../cli/client/batch/form.js';
import type { Client } from '../../../cli/client/client.js';

const asked: Client = {
  connection: { url: 'http://127.0.0.1:1', from: 'a test' },
  ask: () => Promise.reject(new Error('Nothing has to be asked.')),
} as unknown as Client;
const file = 'examples/reminders.csv';

test('one number is the field phoneNumber', async () => {
  const { fields, from } = await batchForm(asked, file, { from: ['+14155550100'] });
  expect(fields).toMatchObject({ phoneNumber: '+14155550100' });
  expect(fields).not.toHaveProperty('phoneNumbers');
  expect(from).toEqual(['+14155550100']);
});

test('several numbers are the field phoneNumbers, with the number of a retry', async () => {
  const numbers = ['+14155550100', '+12125550100'];
  const { fields } = await batchForm(asked, file, { from: numbers, numberOnRetry: 'other' });
  expect(fields).toMatchObject({ phoneNumbers: JSON.stringify(numbers), numberOnRetry: 'other' });
  expect(fields).not.toHaveProperty('phoneNumber');
});

test('a choice for retries without several numbers is refused with the remedy', async () => {
  const form = batchForm(asked, file, { from: ['+14155550100'], numberOnRetry: 'other' });
  await expect(form).rejects.toThrow('give --from for each of them');
});
