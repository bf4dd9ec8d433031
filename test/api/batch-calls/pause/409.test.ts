import { expect, test } from 'vitest';
import { finishedStatuses } from '../../../../domain/batch/batch-call.js';
import { api } from '../../support.js';
import { aBatch, outboxOf } from '../support.js';

// shows: batches.pause.409
test.each(finishedStatuses)('a batch that is %s takes no pause, and stays as it is', async (status) => {
  const { batchId } = await aBatch({ status });
  const before = (await api.get(`/v1/batch-calls/${batchId}`)).body;

  const response = await api.post(`/v1/batch-calls/${batchId}/pause`);

  expect({ status: response.status, body: response.body }).toEqual({
    status: 409,
    body: { error: expect.any(String) },
  });
  expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toEqual(before);
  expect(await outboxOf(batchId)).toEqual([]);
});
