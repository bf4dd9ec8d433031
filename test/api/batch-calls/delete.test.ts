import { describe, expect, test } from 'vitest';
import { removePiece } from '../../../db/queries/batches/delete.js';
import { cancellableStatuses, finishedStatuses } from '../../../domain/batch/batch-call.js';
import { rowsOf } from '../support-resources.js';
import { api, here } from '../support.js';
import { aBatchOf, aDelivery } from './support-records.js';
import { noCalls } from '../../../domain/batch/batch-call.js';
import { aBatch } from './support.js';

describe('200', () => {
  const leftOf = async (batchId: string) => {
    const [row] = await rowsOf<Record<string, number>>(
      `select (select count(*)::int from batches where id = $1) as batches,
       (select count(*)::int from batch_files where batch_id = $1) as files,
       (select count(*)::int from batch_counters where batch_id = $1) as counters,
       (select count(*)::int from webhook_deliveries where batch_id = $1) as deliveries,
       (select count(*)::int from calls where batch_id = $1) as calls,
       (select count(*)::int from call_attempts where batch_id = $1) as attempts,
       (select count(*)::int from rejected_rows where batch_id = $1) as rejected,
       (select count(*)::int from batch_deletions where batch_id = $1) as deletions`,
      [batchId],
    );
    return row;
  };

  const gone = { batches: 0, files: 0, counters: 0, deliveries: 0 };

  // shows: batches.delete
  test.each(finishedStatuses)(
    'a batch that is %s is gone with the answer, and a bare count is in the audit log',
    async (status) => {
      const { batchId } = await aBatch({ status });
      const response = await api.delete(`/v1/batch-calls/${batchId}`);
      expect([response.status, response.body]).toEqual([200, { message: 'Batch call deleted' }]);
      expect(await leftOf(batchId)).toMatchObject(gone);
      expect(await rowsOf('select action, details from audit_log where target = $1', [batchId])).toEqual([
        {
          action: 'batch-call.delete',
          details: expect.objectContaining({
            status,
            records: 0,
            rejected: 0,
            counts: expect.any(Object) as unknown,
          }) as unknown,
        },
      ]);
    },
  );

  // shows: batches.delete
  test('no operation finds it any more, and its workflow removes the rest in pieces', async () => {
    const records = ['+919877100001', '+919877100002'].map((phoneNumber) => ({
      phoneNumber,
      metadata: { name: 'Asha' },
    }));
    const { batchId } = await aBatchOf(records);
    const other = await aBatchOf([{ phoneNumber: '+919877100003' }]);
    await aDelivery(batchId);
    const accountId = here().me.account.id;
    await rowsOf(
      `insert into rejected_rows (batch_id, row, account_id, value, reason, message) values ($1, 9, $2, '12', 'invalid_number', 'x')`,
      [batchId, accountId],
    );

    await api.delete(`/v1/batch-calls/${batchId}`);

    for (const path of ['', '/stats', '/records', '/records/export', '/rejected-rows', '/webhook-deliveries']) {
      expect((await api.get(`/v1/batch-calls/${batchId}${path}`)).status).toBe(404);
    }
    expect(
      await rowsOf('select name, workflow_id, input from outbox where workflow_id like $1', [`${batchId}%`]),
    ).toEqual([{ name: 'removeBatch', workflow_id: `${batchId}/removal`, input: { accountId, batchId } }]);
    expect(await leftOf(batchId)).toEqual({ ...gone, calls: 2, attempts: 2, rejected: 1, deletions: 1 });
    const [entry] = await rowsOf<{ details: object }>('select details from audit_log where target = $1', [batchId]);
    expect(entry!.details).toEqual({
      status: expect.any(String),
      records: 2,
      rejected: 0,
      counts: { ...noCalls, answered: 2 },
    });

    while (await removePiece(here().database.db, accountId, batchId));

    expect(await leftOf(batchId)).toEqual({ ...gone, calls: 0, attempts: 0, rejected: 0, deletions: 0 });
    expect(await leftOf(other.batchId)).toMatchObject({ batches: 1, calls: 1, attempts: 1 });
  });

  test('what removes a deleted batch leaves one alone that is there', async () => {
    const { batchId } = await aBatchOf([{ phoneNumber: '+919877100004' }]);
    expect(await removePiece(here().database.db, here().me.account.id, batchId)).toBe(false);
    expect(await leftOf(batchId)).toMatchObject({ batches: 1, calls: 1 });
  });
});

describe('409', () => {
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
});
