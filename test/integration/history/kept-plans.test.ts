import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../../db/client.js';
import { findBatchCall } from '../../../db/queries/batches/batches.js';
import { listBatchCalls } from '../../../db/queries/batches/list.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { batchesToTell } from '../../../db/queries/upkeep/told-waits.js';
import { aRunningBatch } from '../orchestration/running-batch.js';
import { historyTestEnv, type HistoryTestEnv } from './history.js';

let testEnv: HistoryTestEnv;
beforeAll(async () => {
  testEnv = await historyTestEnv(0);
});
afterAll(() => testEnv.close());

/** After so many uses PostgreSQL has decided whether it keeps a plan. */
const uses = 8;
const calls = 7_000;

/** Rows that were read because a table was read as a whole. */
async function rowsOfWholeTables(db: Db): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ read: number }>`
    select sum(seq_tup_read)::float8 as read from pg_stat_user_tables
    where relname in ('calls', 'call_attempts')`.execute(db);
  return rows[0]?.read ?? NaN;
}

test('what was planned while nothing had been called reads no table as a whole when that is large', async () => {
  const { database, tenant } = testEnv;
  const { db } = database;
  const { accountId } = tenant;
  const filter = { statuses: ['running'] as const, search: '', createdFrom: null, createdUntil: null };
  const small = await aRunningBatch(db, tenant, 3);
  const queue = (batchId: string, callIds: readonly string[]) =>
    queueAttempts(db, { accountId, batchId, attempts: callIds.map((callId) => [callId, 1] as const) }, new Date());
  await queue(small.batchId, small.callIds);
  const asked = [
    () => findBatchCall(db, accountId, small.batchId),
    () => listBatchCalls(db, accountId, filter, { offset: 0, limit: 10 }),
    () => batchesToTell(db, null),
  ];
  for (const each of asked) for (let use = 0; use < uses; use++) await each();

  const large = await aRunningBatch(db, tenant, calls);
  await queue(large.batchId, large.callIds.slice(0, calls / 2));
  const before = await rowsOfWholeTables(db);
  for (const each of asked) await each();
  expect((await rowsOfWholeTables(db)) - before).toBe(0);
});
