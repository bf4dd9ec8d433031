import { describe, expect, test } from 'vitest';
import { BatchCallDetail } from '../../../../api/batch-calls/detail.js';
import { UpdateBatchCallBody } from '../../../../api/batch-calls/update-body.js';
import { finishedStatuses } from '../../../../domain/batch/batch-call.js';
import { api, here } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aBatch, outboxOf } from '../support.js';

const url = (batchId: string) => `/v1/batch-calls/${batchId}`;
const get = async (batchId: string) => (await api.get(url(batchId))).body as Record<string, unknown>;
const change = async (batchId: string, body: unknown) => {
  const response = await api.patch(url(batchId), body);
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return response.body as Record<string, unknown>;
};
const reconsider = { kind: 'signal', name: 'reconsider', input: {} };

// shows: batches.patch
test.each([...finishedStatuses, 'running'] as const)(
  'name and description of a batch that is %s are changed, and the answer is what GET says',
  async (status) => {
    const { batchId } = await aBatch({ status, description: 'Before' });
    const answer = await change(batchId, { name: 'After', description: null });
    expect(answer).toMatchObject({ batchName: 'After' });
    expect(answer).not.toHaveProperty('description');
    expect(await get(batchId)).toEqual(answer);
    expect(await outboxOf(batchId)).toEqual([]);
    expect(await rowsOf('select action, details from audit_log where target = $1', [batchId])).toEqual([
      { action: 'batch-call.update', details: { fields: ['name', 'description'] } },
    ]);
  },
);

describe('schedule', () => {
  const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);

  // shows: batches.patch.schedule
  test.each(['parsing', 'scheduled'] as const)(
    'of a batch that is %s is moved, and its workflow told',
    async (status) => {
      const { batchId } = await aBatch({ status });
      const kicks = here().kicks;

      const answer = await change(batchId, { schedule: { date: soon, time: '10:30', timezone: 'Europe/Berlin' } });

      expect(answer).toMatchObject({
        timing: 'scheduled',
        scheduledDate: soon,
        scheduledTime: '10:30',
        timezone: 'Europe/Berlin',
        status,
      });
      expect(new Date((answer.timestamp as number) * 1000).toISOString()).toMatch(new RegExp(`^${soon}T0[89]:30:00`));
      expect(await outboxOf(batchId)).toEqual([reconsider]);
      expect(here().kicks).toBe(kicks + 1);
    },
  );

  test('that is cleared makes the batch an immediate one', async () => {
    const { batchId } = await aBatch({ status: 'scheduled' });
    await change(batchId, { schedule: { date: soon, time: '10:30', timezone: 'Europe/Berlin' } });
    const answer = await change(batchId, { schedule: null });
    expect(answer).toMatchObject({ timing: 'immediate', timezone: 'Asia/Calcutta' });
    expect(answer).not.toHaveProperty('scheduledDate');
    const [row] = await rowsOf<{ due: boolean }>('select starts_at <= now() as due from batches where id = $1', [
      batchId,
    ]);
    expect(row).toEqual({ due: true });
  });
});

// shows: batches.patch.running
test('a calling window holds the batch until the queue has been moved to it; null clears it', async () => {
  const { batchId } = await aBatch();
  const answer = await change(batchId, { callingWindow: { from: '10:00', until: '18:00', daysOfWeek: [5, 1] } });
  expect(answer.callingWindow).toEqual({ from: '10:00', until: '18:00', daysOfWeek: [1, 5], timezone: 'recipient' });
  expect(await outboxOf(batchId)).toEqual([reconsider]);
  expect(await rowsOf('select window_moving from batches where id = $1', [batchId])).toEqual([{ window_moving: true }]);

  expect(await change(batchId, { callingWindow: null })).not.toHaveProperty('callingWindow');
});

// shows: batches.patch.running
test('retry and maxConcurrentCalls hold from now on; null clears them', async () => {
  const { batchId } = await aBatch();
  const set = await change(batchId, { retry: { retryOn: ['missed'], retryDelays: [60, 600] }, maxConcurrentCalls: 3 });
  expect(set).toMatchObject({
    retry: { enabled: true, retryOn: ['missed'], retryDelays: [60, 600], maxAttempts: 2 },
    maxConcurrentCalls: 3,
  });
  const cleared = await change(batchId, { retry: null, maxConcurrentCalls: null });
  expect(cleared.retry).toEqual({ enabled: false, retryOn: [], retryDelays: [], maxAttempts: 0 });
  expect(cleared).not.toHaveProperty('maxConcurrentCalls');
});

test.each(['running', 'completed', 'parse_failed'] as const)(
  'what GET answers of a batch that is %s can be sent back, also with another name in it, and changes nothing else',
  async (status) => {
    const { batchId } = await aBatch({ status, description: 'Words' });
    if (status === 'running') {
      await change(batchId, {
        callingWindow: { from: '10:00', until: '18:00' },
        retry: { retryOn: ['missed'], retryDelays: [60] },
        maxConcurrentCalls: 3,
      });
    }
    const before = await get(batchId);
    const told = await outboxOf(batchId);

    expect(await change(batchId, before)).toEqual(before);
    const renamed = await change(batchId, { ...before, batchName: 'Renamed' });

    expect(renamed).toEqual({ ...before, batchName: 'Renamed', updatedAt: renamed.updatedAt });
    expect(await outboxOf(batchId)).toEqual(told);
  },
);

test('every field that GET may answer is known to PATCH, so that an answer can always be sent back', () => {
  expect(Object.keys(UpdateBatchCallBody.shape)).toEqual(expect.arrayContaining(Object.keys(BatchCallDetail.shape)));
});

test('an empty change changes nothing', async () => {
  const { batchId } = await aBatch();
  const before = await get(batchId);
  expect(await change(batchId, {})).toEqual(before);
  expect(await change(batchId, undefined)).toEqual(before);
});
