import { expect, test } from 'vitest';
import { finishedStatuses } from '../../../../domain/batch/batch-call.js';
import { api } from '../../support.js';
import { aBatch, outboxOf } from '../support.js';

const schedule = { date: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10), time: '10:00' };
const changes = {
  schedule,
  callingWindow: { from: '09:00', until: '18:00' },
  maxConcurrentCalls: 5,
  retry: { retryOn: ['missed'], retryDelays: [60] },
};

const refused = async (status: (typeof finishedStatuses)[number] | 'running' | 'cancelling', body: object) => {
  const { batchId } = await aBatch({ status });
  const before = (await api.get(`/v1/batch-calls/${batchId}`)).body;
  const response = await api.patch(`/v1/batch-calls/${batchId}`, { name: 'New', ...body });
  expect([response.status, response.body]).toEqual([409, { error: expect.any(String) as unknown }]);
  expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toEqual(before);
  expect(await outboxOf(batchId)).toEqual([]);
};

test.each(
  finishedStatuses.flatMap((status) =>
    Object.entries(changes).map(([field, value]) => [status, field, value] as const),
  ),
)('of a batch that is %s %s cannot be changed any more, and nothing else of the request is', (status, field, value) =>
  refused(status, { [field]: value }),
);

// shows: batches.patch.schedule
test.each(['running', 'cancelling'] as const)('the start of a batch that is %s cannot be moved', (status) =>
  refused(status, { schedule }),
);
