import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { noCalls } from '../../../domain/batch/batch-call.js';
import { recordStatuses } from '../../../domain/call/call.js';
import { lockWaits } from '../../setup/lock-waits.js';
import { api, here } from '../support.js';
import { aBatch } from './support.js';
import { aBatchOf } from './support-records.js';

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

  test('`by` adds what calls and attempts came to, by key', async () => {
    const { batchId } = await aBatchOf([
      { phoneNumber: '+14155550123', status: 'pending' },
      { phoneNumber: '+14155550124', status: 'pending' },
    ]);
    await sql`update calls set status = 'cancelled', reason = 'skipped', ended_at = now() where batch_id = ${batchId}`.execute(
      here().database.db,
    );
    const { body } = await api.get(`/v1/batch-calls/${batchId}/stats?by=reason`);
    expect(body).toMatchObject({
      by: 'reason',
      rows: [{ key: 'skipped', calls: 2, attempts: 0, answered: 0, human: 0, machine: 0, success: 0, talkSeconds: 0 }],
    });
  });

  test('numbers by status and rows by status are of one instant, also if calls end between reading the two', async () => {
    const { batchId } = await aBatchOf([{ phoneNumber: '+14155550123', status: 'pending' }], { status: 'running' });
    const { pool, db } = here().database;
    const holder = await pool.connect();
    await holder.query('begin; lock table figures in access exclusive mode');
    const asked = api.get(`/v1/batch-calls/${batchId}/stats?by=status`);
    await expect.poll(() => lockWaits(pool)).toBe(1);
    await sql`update calls set status = 'cancelled', reason = 'skipped', ended_at = now() where batch_id = ${batchId}`.execute(
      db,
    );
    await holder.query('rollback');
    holder.release();
    expect((await asked).body).toMatchObject({ pending: 1, cancelled: 0, rows: [] });
    expect((await api.get(`/v1/batch-calls/${batchId}/stats?by=status`)).body).toMatchObject({
      ...{ pending: 0, cancelled: 1 },
      rows: [{ key: 'cancelled', calls: 1 }],
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

describe('400', () => {
  test('by something that figures are not kept by is refused with what they are kept by', async () => {
    const { batchId } = await aBatch({});
    const { status, body } = await api.get(`/v1/batch-calls/${batchId}/stats?by=weather`);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('hour, day, attempt');
  });
});
