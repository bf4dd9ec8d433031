import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { finishedStatuses } from '../../../domain/batch/batch-call.js';
import { api, here } from '../support.js';
import { aBatch, outboxOf } from './support.js';

const close = (batchId: string) => api.post(`/v1/batch-calls/${batchId}/close`);
const reconsider = { kind: 'signal', name: 'reconsider', input: {} };

describe('200', () => {
  // shows: recipients.close
  test('an open batch is closed, and its workflow is told; closing again changes nothing', async () => {
    const { batchId } = await aBatch();
    const opened = await api.patch(`/v1/batch-calls/${batchId}`, { open: true });
    expect(opened.body).toMatchObject({ open: true });
    expect(await outboxOf(batchId)).toEqual([]);
    expect(await close(batchId)).toMatchObject({ status: 200, body: { open: false } });
    expect(await close(batchId)).toMatchObject({ status: 200, body: { open: false } });
    expect(await outboxOf(batchId)).toEqual([reconsider]);
  });

  test('PATCH closes it, too', async () => {
    const { batchId } = await aBatch();
    await sql`update batches set open = true where id = ${batchId}`.execute(here().database.db);
    expect((await api.patch(`/v1/batch-calls/${batchId}`, { open: false })).body).toMatchObject({ open: false });
    expect(await outboxOf(batchId)).toEqual([reconsider]);
  });
});

describe('409', () => {
  test.each(finishedStatuses)('a batch that is %s cannot be closed, nor opened', async (status) => {
    const { batchId } = await aBatch({ status });
    expect((await close(batchId)).status).toBe(409);
    expect((await api.patch(`/v1/batch-calls/${batchId}`, { open: true })).status).toBe(409);
  });
});
