import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aBatch, outboxOf } from '../support.js';

test.each([
  ['an unknown mode', { mode: 'now' }, 'mode'],
  ['an unknown key', { modus: 'graceful' }, 'modus'],
  ['no JSON', '{mode', 'JSON'],
  ['an array', [], 'body'],
])('%s is refused and cancels nothing', async (_what, body, named) => {
  const { batchId } = await aBatch();
  const response = await api.post(`/v1/batch-calls/${batchId}/cancel`, body);
  expect({ status: response.status, body: response.body }).toEqual({
    status: 400,
    body: { error: expect.stringContaining(named) },
  });
  expect(await outboxOf(batchId)).toEqual([]);
});
