import { expect, test } from 'vitest';
import { cancellableStatuses } from '../../../../domain/batch/batch-call.js';
import { api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aBatchOf } from '../support-records.js';
import { aBatch } from '../support.js';

// shows: batches.delete.409
test.each(cancellableStatuses)('a batch that is %s cannot be deleted', async (status) => {
  const { batchId } = await aBatch({ status });
  const response = await api.delete(`/v1/batch-calls/${batchId}`);
  expect([response.status, response.body]).toEqual([409, { error: expect.any(String) as unknown }]);
  expect((await api.get(`/v1/batch-calls/${batchId}`)).status).toBe(200);
});

test('a batch that a retry still takes its numbers from cannot be deleted until it has', async () => {
  const { batchId } = await aBatchOf([{ phoneNumber: '+919877200001', status: 'missed' }]);
  const retry = await api.post(`/v1/batch-calls/${batchId}/retry`);
  expect(retry.status).toBe(201);

  expect((await api.delete(`/v1/batch-calls/${batchId}`)).status).toBe(409);

  const { batchId: retryId } = retry.body as { batchId: string };
  await rowsOf(`update batches set status = 'running' where id = $1`, [retryId]);
  expect((await api.delete(`/v1/batch-calls/${batchId}`)).status).toBe(200);
  // What it was made from is still said, and its file's name.
  expect((await api.get(`/v1/batch-calls/${retryId}`)).body).toMatchObject({
    retriedFrom: batchId,
    file: { filename: 'people.csv' },
  });
});

test('of a delete and a retry at the same time one is refused, or both come one after the other', async () => {
  const rounds = Array.from({ length: 12 }, async (_unused, round) => {
    const { batchId } = await aBatchOf([
      { phoneNumber: `+9198772100${String(round).padStart(2, '0')}`, status: 'missed' },
    ]);
    const [deleted, retried] = await Promise.all([
      api.delete(`/v1/batch-calls/${batchId}`),
      api.post(`/v1/batch-calls/${batchId}/retry`),
    ]);
    return `${deleted.status} ${retried.status}`;
  });
  for (const outcome of await Promise.all(rounds)) expect(['200 404', '409 201']).toContain(outcome);
});
