import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aBatch } from '../support.js';

test("another account's batch, an unknown one and what is no id are not found in the same words", async () => {
  const { account } = await anAccount();
  const theirs = await aBatch({ accountId: account.id, status: 'completed' });
  for (const batchId of [theirs.batchId, 'batch_019a0000-0000-7000-8000-000000000000', 'nothing']) {
    const { status, body } = await api.get(`/v1/batch-calls/${batchId}/webhook-deliveries`);
    expect({ status, body }).toEqual({ status: 404, body: { message: 'Batch call not found' } });
  }
});
