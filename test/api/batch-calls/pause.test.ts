import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { finishedStatuses } from '../../../domain/batch/batch-call.js';
import { api, here } from '../support.js';
import { aBatch, outboxOf } from './support.js';

describe('200', () => {
  const pause = async (batchId: string) => {
    const { status, body } = await api.post(`/v1/batch-calls/${batchId}/pause`);
    return { status, body };
  };

  const auditOf = async (batchId: string) => {
    const { rows } = await sql<{ action: string }>`
    select action from audit_log where target = ${batchId}`.execute(here().database.db);
    return rows.map(({ action }) => action);
  };

  // shows: batches.pause
  test.each(['parsing', 'scheduled', 'running', 'cancelling'] as const)(
    'a batch that is %s is paused, and keeps its status',
    async (status) => {
      const { batchId } = await aBatch({ status });
      expect(await pause(batchId)).toEqual({
        status: 200,
        body: expect.objectContaining({ batchId, status, paused: true, pausedReason: 'paused_by_user' }),
      });
      expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({ status, paused: true });
    },
  );

  test('pausing again changes nothing, not even the reason', async () => {
    const { batchId } = await aBatch({ paused: 'agent_inactive' });
    expect((await pause(batchId)).body).toMatchObject({ paused: true, pausedReason: 'agent_inactive' });
    expect(await auditOf(batchId)).toEqual([]);
  });

  test('many pauses at the same time are one', async () => {
    const { batchId } = await aBatch();
    const answers = await Promise.all(Array.from({ length: 8 }, () => pause(batchId)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(await auditOf(batchId)).toEqual(['batch-call.pause']);
  });
});

describe('409', () => {
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
});
