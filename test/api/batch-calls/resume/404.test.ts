import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aBatch } from '../support.js';

const ask = async (batchId: string) => {
  const { status, body } = await api.post(`/v1/batch-calls/${batchId}/resume`);
  return { status, body };
};

test("another account's batch, an unknown one and what is no id are not found in the same words", async () => {
  const { account } = await anAccount();
  const theirs = await aBatch({ accountId: account.id });

  const notFound = { status: 404, body: { message: 'Batch call not found' } };
  expect(await ask(theirs.batchId)).toEqual(notFound);
  expect(await ask('batch_019a0000-0000-7000-8000-000000000000')).toEqual(notFound);
  expect(await ask('nothing')).toEqual(notFound);
});
