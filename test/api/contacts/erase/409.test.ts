import { expect, test } from 'vitest';
import { aBatch } from '../../batch-calls/support.js';
import { api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aPerson, aTracedCall } from '../support.js';

test('while a file is being read that may hold the person, nothing is erased and the answer says why', async () => {
  const number = aPerson();
  const { callId } = await aTracedCall(number);
  const { batchId } = await aBatch({ status: 'parsing' });

  const response = await api.delete(`/v1/contacts/${number}`);

  expect(response.status).toBe(409);
  expect(response.body).toEqual({ error: expect.stringContaining(batchId) });
  expect(await rowsOf('select to_number from calls where id = $1', [callId])).toEqual([{ to_number: number }]);
});
