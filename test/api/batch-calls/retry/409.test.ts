import { expect, test } from 'vitest';
import { cancellableStatuses } from '../../../../domain/batch/batch-call.js';
import { api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aBatchOf } from '../support-records.js';

const refused = async (batchId: string) => {
  const response = await api.post(`/v1/batch-calls/${batchId}/retry`);
  expect([response.status, response.body]).toEqual([409, { error: expect.any(String) as unknown }]);
};

// shows: batches.retry.finished
test.each(cancellableStatuses.filter((status) => status !== 'parsing'))(
  'a batch that is %s is not retried',
  async (status) => refused((await aBatchOf([{ phoneNumber: '+919877600001', status: 'missed' }], { status })).batchId),
);

test('a batch whose data has been deleted, because its time was over, is not retried', async () => {
  const { batchId } = await aBatchOf([{ phoneNumber: '+919877600002', status: 'missed' }]);
  await rowsOf('update batches set purged_at = now() where id = $1', [batchId]);
  await refused(batchId);
});
