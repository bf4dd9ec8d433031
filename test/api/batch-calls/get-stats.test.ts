import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { noCalls } from '../../../domain/batch/batch-call.js';
import { recordStatuses } from '../../../domain/call/call.js';
import { api, here } from '../support.js';
import { aBatch } from './support.js';

describe('200', () => {
  const statsOf = async (batchId: string) => (await api.get(`/v1/batch-calls/${batchId}/stats`)).body;

  // shows: batches.stats
  test('every status is counted, and together they are the total', async () => {
    const counts = Object.fromEntries(recordStatuses.map((status, index) => [status, index + 1]));
    const { batchId } = await aBatch({ counts });
    await sql`update batch_counters set attempts = 70, talk_seconds = 61.5, human = 3, machine = 1 where batch_id = ${batchId}`.execute(
      here().database.db,
    );

    expect(await statsOf(batchId)).toEqual({
      batchId,
      status: 'running',
      total: 66,
      ...noCalls,
      ...counts,
      human: 3,
      machine: 1,
      answerRate: 0.1111,
      averageDuration: 12.3,
      attempts: 70,
    });
  });

  test('a batch whose file has not been read has nothing to count', async () => {
    const { batchId } = await aBatch({ status: 'parsing' });
    expect(await statsOf(batchId)).toEqual({
      batchId,
      status: 'parsing',
      total: 0,
      ...noCalls,
      answerRate: 0,
      averageDuration: 0,
      attempts: 0,
    });
  });
});
