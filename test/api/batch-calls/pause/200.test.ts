import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { api, here } from '../../support.js';
import { aBatch } from '../support.js';

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
