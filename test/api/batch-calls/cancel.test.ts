import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { finishedStatuses } from '../../../domain/batch/batch-call.js';
import { api, here } from '../support.js';
import { aBatch, outboxOf } from './support.js';

describe('202', () => {
  const cancel = async (batchId: string, body?: unknown) => {
    const response = await api.post(`/v1/batch-calls/${batchId}/cancel`, body);
    return { status: response.status, body: response.body };
  };

  const modeOf = async (batchId: string) => {
    const { rows } = await sql<{ status: string; cancel_mode: string }>`
    select status, cancel_mode from batches where id = ${batchId}`.execute(here().database.db);
    return rows[0];
  };

  const signal = { kind: 'signal', name: 'cancel', input: {} };

  // shows: batches.cancel
  test.each(['parsing', 'scheduled', 'running'] as const)(
    'a batch that is %s is cancelling when that is answered, and its workflow will be told',
    async (status) => {
      const { batchId } = await aBatch({ status });
      const kicks = here().kicks;

      expect(await cancel(batchId)).toEqual({
        status: 202,
        body: expect.objectContaining({ batchId, status: 'cancelling' }),
      });

      expect(await modeOf(batchId)).toEqual({ status: 'cancelling', cancel_mode: 'graceful' });
      expect(await outboxOf(batchId)).toEqual([signal]);
      expect(here().kicks).toBe(kicks + 1);
      expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({ status: 'cancelling' });
    },
  );

  // shows: everywhere.empty-body
  test.each([undefined, {}, { mode: 'graceful' }, { mode: null }])('%j is a graceful cancel', async (body) => {
    const { batchId } = await aBatch();
    await cancel(batchId, body);
    expect(await modeOf(batchId)).toMatchObject({ cancel_mode: 'graceful' });
  });

  describe('asked again while it is under way', () => {
    // shows: batches.cancel.again
    test('the same mode changes nothing', async () => {
      const { batchId } = await aBatch();
      const first = await cancel(batchId, { mode: 'graceful' });
      expect(await cancel(batchId, { mode: 'graceful' })).toEqual(first);
      expect(await outboxOf(batchId)).toEqual([signal]);
    });

    test('graceful becomes immediate, and the workflow is told again', async () => {
      const { batchId } = await aBatch();
      await cancel(batchId);
      expect(await cancel(batchId, { mode: 'immediate' })).toMatchObject({ status: 202 });
      expect(await modeOf(batchId)).toMatchObject({ cancel_mode: 'immediate' });
      expect(await outboxOf(batchId)).toEqual([signal, signal]);
    });

    test('immediate stays immediate', async () => {
      const { batchId } = await aBatch();
      await cancel(batchId, { mode: 'immediate' });
      expect(await cancel(batchId, { mode: 'graceful' })).toMatchObject({ status: 202 });
      expect(await modeOf(batchId)).toMatchObject({ cancel_mode: 'immediate' });
      expect(await outboxOf(batchId)).toEqual([signal]);
    });
  });

  test('of many cancels at the same time one counts: one audit entry, one signal for each mode, immediate wins', async () => {
    const { batchId } = await aBatch();

    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) => cancel(batchId, { mode: index % 2 === 0 ? 'graceful' : 'immediate' })),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 202));
    expect(await modeOf(batchId)).toEqual({ status: 'cancelling', cancel_mode: 'immediate' });
    const signals = await outboxOf(batchId);
    const { rows } = await sql`select details from audit_log where target = ${batchId}`.execute(here().database.db);
    expect(signals.length).toBeLessThanOrEqual(2);
    expect(rows).toHaveLength(signals.length);
  });
});

describe('400', () => {
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
});

describe('409', () => {
  // shows: errors.batch-other, batches.cancel.again
  test.each(finishedStatuses)('a batch that is %s takes no cancel, and stays as it is', async (status) => {
    const { batchId } = await aBatch({ status });
    const before = (await api.get(`/v1/batch-calls/${batchId}`)).body;

    const response = await api.post(`/v1/batch-calls/${batchId}/cancel`);

    expect({ status: response.status, body: response.body }).toEqual({
      status: 409,
      body: { error: expect.any(String) },
    });
    expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toEqual(before);
    expect(await outboxOf(batchId)).toEqual([]);
  });
});
