import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { api, here } from '../support.js';
import { aBatch } from './support.js';

describe('200', () => {
  // shows: batches.rejected, rows.rejected
  test('rows that are not called are listed in the order of the file', async () => {
    const { batchId } = await aBatch({ rejected: 3 });
    for (const row of [11, 2, 7]) {
      await sql`insert into rejected_rows (batch_id, row, account_id, value, reason, message)
      values (${batchId}, ${row}, ${here().me.account.id}, ${`number ${row}`}, 'invalid_number', 'Not a number.')`.execute(
        here().database.db,
      );
    }
    const message = 'Not a number.';

    const first = await api.get(`/v1/batch-calls/${batchId}/rejected-rows?perPage=2`);
    const second = await api.get(`/v1/batch-calls/${batchId}/rejected-rows?perPage=2&page=2`);

    expect(first.body).toEqual({
      pageInfo: { currentPage: 1, perPage: 2, lastPage: 2, total: 3 },
      data: [
        { row: 2, value: 'number 2', reason: 'invalid_number', message },
        { row: 7, value: 'number 7', reason: 'invalid_number', message },
      ],
    });
    expect(second.body).toMatchObject({ data: [{ row: 11 }] });
  });

  test('a batch without any has an empty list', async () => {
    const { batchId } = await aBatch();
    expect((await api.get(`/v1/batch-calls/${batchId}/rejected-rows`)).body).toEqual({
      pageInfo: { currentPage: 1, perPage: 20, lastPage: 1, total: 0 },
      data: [],
    });
  });
});
