import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { api, here } from '../support.js';
import { aBatch } from './support.js';

describe('200', () => {
  test('rows whose number is dialed otherwise than it was written are listed in the order of the file', async () => {
    const { batchId } = await aBatch();
    for (const row of [11, 2, 7]) {
      await sql`insert into corrected_rows (batch_id, row, account_id, value, phone_number)
      values (${batchId}, ${row}, ${here().me.account.id}, ${`+1 (202) 555-01${row}`}, '+12025550107')`.execute(
        here().database.db,
      );
    }
    const phoneNumber = '+12025550107';

    const first = await api.get(`/v1/batch-calls/${batchId}/corrected-rows?perPage=2`);
    const second = await api.get(`/v1/batch-calls/${batchId}/corrected-rows?perPage=2&page=2`);

    expect(first.body).toEqual({
      pageInfo: { currentPage: 1, perPage: 2, lastPage: 2, total: 3 },
      data: [
        { row: 2, value: '+1 (202) 555-012', phoneNumber },
        { row: 7, value: '+1 (202) 555-017', phoneNumber },
      ],
    });
    expect(second.body).toMatchObject({ data: [{ row: 11 }] });
  });
});
